import { fetchByRoute, type Redacted, retryAfterMs } from '../../client/index.ts';
import { type ChannelType, SendFailed, type Sending } from './channel.ts';
import type { Notice } from './notice.ts';

/** Statuses that reject the notice itself. Any other may change: somebody fixes an address or a token, a limit passes. */
const final = [400, 413, 414, 422];

/**
 * Posts JSON without following redirects: the body is for one receiver. Errors never contain the address: with some
 * receivers it is the credential.
 */
export async function postJson(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  { key, signal, route }: Sending,
): Promise<void> {
  let response: Response;
  try {
    const all = { 'content-type': 'application/json', 'idempotency-key': key, ...headers };
    response = await fetchByRoute(new URL(url), { method: 'POST', headers: all, body, signal }, route);
    await response.body?.cancel();
  } catch (error) {
    throw new SendFailed(reasonOf(error));
  }
  if (response.ok) return;
  const pause = retryAfterMs(response.headers.get('retry-after') ?? '', Date.now());
  throw new SendFailed(`the receiver returned status ${response.status}`, {
    ...(pause === undefined ? {} : { retryAfterMs: pause }),
    isFinal: final.includes(response.status),
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'the receiver did not respond in time';
  if (error instanceof Error && error.name === 'AbortError') return 'the monitor stopped while sending';
  const { code } = ((error as { cause?: unknown }).cause ?? {}) as { code?: string };
  return `the receiver could not be reached (${code ?? 'no connection'})`;
}

interface Message {
  readonly url: string;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A channel that posts each notice as JSON: `messageOf` says what, and where to, from the values of its keys. */
export function posting(
  keys: ChannelType['keys'],
  messageOf: (
    notice: Redacted<Notice>,
    values: Readonly<Record<string, string>>,
    sending: Sending,
  ) => Message | readonly Message[],
): ChannelType {
  return {
    keys,
    open: (values) => async (notice, sending) => {
      for (const { url, body, headers = {} } of [messageOf(notice, values, sending)].flat())
        await postJson(url, JSON.stringify(body), headers, sending);
    },
  };
}
