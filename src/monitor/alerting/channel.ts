import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Checked, type KeyEntry, problemOfKept } from '../../environment/index.ts';
import { decoded, fetchByRoute, type Route, retryAfterMs } from '../../http/index.ts';
import { type Redacted, redact, redactJson } from '../../redaction/index.ts';
import { cut } from '../status/texts.ts';
import { type Notice, noticeOfNone } from './notice.ts';

export interface Sending {
  /** Idempotency key: all attempts to send one notice use the same key. */
  readonly key: string;
  readonly signal: AbortSignal;
  /** The route through the monitor's proxy; absent if the monitor sends the notice directly. */
  readonly route?: Route | undefined;
  /** Epoch, in ms. */
  readonly now: number;
}

/** Sends a notice. Throws an error, usually `SendFailed`, if the receiver did not accept the notice. */
export type Send = (notice: Redacted<Notice>, sending: Sending) => Promise<void>;

/** A way to send notices, such as Slack. It is active if its required keys are set. */
export interface ChannelType {
  readonly keys: Readonly<Record<string, KeyEntry<string>>>;
  readonly open: (values: Values) => Send;
  /** The receiver loses its alerts when it restarts, and expects clients to post each alert again every few minutes. */
  readonly forgets?: true;
}

export class SendFailed extends Error {
  override readonly name = 'SendFailed';
  /** The wait that the receiver asked for, in ms. */
  readonly retryAfterMs: number | undefined;
  /** The receiver will never accept this notice: don't try again. */
  readonly isFinal: boolean;

  constructor(message: string, { retryAfterMs, isFinal = false }: { retryAfterMs?: number; isFinal?: boolean } = {}) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.isFinal = isFinal;
  }
}

const DEADLINE_MS = 15_000;

/**
 * Sends a test notice with `link`, the address of the status page. With `like`, instead sends a notice that an outage has begun, and a
 * notice that it has ended. Returns the reason if a notice was not delivered. `now` is an epoch, in ms.
 */
export async function sendTest(send: Send, now: number, link: string, like?: 'down'): Promise<string | undefined> {
  const of = { incident: `test-${randomUUID()}`, environment: 'test', link };
  const headline = 'Sextant test notice: this channel works, no action needed';
  const test = noticeOfNone({ ...of, kind: 'test', headline }, TEST_ADDRESS, now);
  const notices = like === undefined ? [test] : outageNotices(test);
  try {
    for (const notice of notices) {
      const signal = AbortSignal.timeout(DEADLINE_MS);
      await send(redactJson(notice), { key: `sextant-${of.incident}-${notice.kind}`, signal, now });
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const TEST_ADDRESS = 'http://test.invalid/';

/** The notices of an outage and of its end, marked as a test. Without the notice of the end, a pager would keep the alert open. */
function outageNotices({ until, ...test }: Notice): Notice[] {
  const mark = 'TEST, no action needed';
  const cause = { kind: 'operation', address: TEST_ADDRESS, name: 'block', phase: 'response', code: '500' } as const;
  const scenario = { title: 'block, then list, then unblock', area: 'friends', since: test.since } as const;
  const evidence = {
    ...({ verdict: 'failed', grade: 'assumed' } as const),
    reason: 'assumed: the request succeeds — the response has status 500',
    curl: `curl -sS -X POST '${TEST_ADDRESS}v1/friends/block' -H 'Authorization: bearer ***'`,
  };
  const down = {
    ...test,
    cause,
    kind: 'down',
    headline: `${mark}: test: Friends: block answers 500 (1 scenario)`,
  } as const;
  const ended = { ...scenario, verdict: 'failed', isOpen: false, ending: 'has recovered' } as const;
  const up = {
    ...down,
    kind: 'up',
    headline: `${mark}: test: "${scenario.title}" has recovered in Friends after 0 s`,
  } as const;
  return [
    { ...down, scenarios: [{ ...scenario, ...evidence, isOpen: true }] },
    { ...up, ...(until === undefined ? {} : { until }), scenarios: [ended] },
  ];
}

/**
 * Statuses that reject the contents of the notice, so another attempt would not help. With any other status, a later attempt may succeed:
 * somebody may correct an address or a token, or a rate limit may end.
 */
const final = [400, 413, 414, 422];

/**
 * Posts JSON without following redirects, because the body is for one receiver only. Errors never contain the address, because for some
 * receivers the address itself is the credential.
 */
async function post({ url, body, headers }: Required<Message>, { key, signal, route }: Sending): Promise<void> {
  let response: IncomingMessage;
  let responseText: string | undefined;
  try {
    const all = { 'content-type': 'application/json', 'idempotency-key': key, ...headers };
    const init = { method: 'POST', headers: all, body: JSON.stringify(body), signal };
    response = await fetchByRoute(new URL(url), init, route);
    const isDelivered = response.statusCode !== undefined && response.statusCode < 300;
    if (!isDelivered) responseText = await shortText(response);
    response.destroy();
  } catch (error) {
    throw new SendFailed(reasonOf(error));
  }
  const { statusCode: status = 0, headers: given } = response;
  if (status >= 200 && status < 300) return;
  const pause = retryAfterMs(given['retry-after'] ?? '', Date.now());
  throw new SendFailed(`the receiver returned status ${status}${responseText ? `: ${responseText}` : ''}`, {
    ...(pause === undefined ? {} : { retryAfterMs: pause }),
    isFinal: final.includes(status),
  });
}

const LONGEST_TEXT = 120;
/**
 * Maximum number of characters to read from the response to a refused notice. It is larger than LONGEST_TEXT, so that redaction sees a
 * whole secret before the text is cut.
 */
const LONGEST_READ = 8_192;

/**
 * The beginning of the response to a refused notice, as one line, e.g. `no_service`. Empty for HTML, because an error page says little in
 * one line.
 */
async function shortText(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    if (text.length >= LONGEST_READ) break;
  }
  const line = redact(text)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line.startsWith('<') ? '' : cut(line, LONGEST_TEXT);
}

/** The reason why a notice did not arrive, without the address. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'the receiver did not respond in time';
  if (error instanceof Error && error.name === 'AbortError') return 'the monitor stopped while sending';
  const { code } = ((error as { cause?: unknown }).cause ?? {}) as { code?: string };
  return `the receiver could not be reached (${code ?? 'no connection'})`;
}

interface Message {
  /** Where to post the message. Default: the value of the first key in the channel's `keys`. */
  readonly url?: string;
  readonly body: object;
  readonly headers?: Values;
}

type Values = Readonly<Record<string, string>>;
type MessageOf = (notice: Redacted<Notice>, values: Values, sending: Sending) => Message | readonly Message[];

/**
 * A channel that posts each notice as JSON. `messageOf` gets the notice and the values of the channel's keys, and returns the messages to
 * post: address, headers and body.
 */
export function posting(
  keys: ChannelType['keys'],
  messageOf: MessageOf,
  more: Pick<ChannelType, 'forgets'> = {},
): ChannelType {
  return {
    ...more,
    keys,
    open: (values) => async (notice, sending) => {
      const url = values[Object.keys(keys)[0] ?? ''] ?? '';
      for (const message of [messageOf(notice, values, sending)].flat())
        await post({ url, headers: {}, ...message }, sending);
    },
  };
}

export function webAddress(value: string): Checked<string> {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) return { problem: 'is not an http:// or https:// URL' };
  if (url.port === '0') return { problem: 'has port 0, where nothing can listen' };
  if (url.username || url.password) return { problem: "contains a user or a password, which can't be sent" };
  return /\p{Cc}/u.test(value) ? { problem: 'contains a control character' } : { value };
}

/** A settings key whose value is a credential, so outputs mask it. */
export function credential<E extends KeyEntry<string>>(entry: E, secrets = (value: string) => [value]) {
  const check = (value: string): Checked<string> => {
    const checked = entry.check(value);
    const [problem] = 'problem' in checked ? [] : secrets(value).flatMap((secret) => problemOfKept(secret) ?? []);
    return problem === undefined ? checked : { problem };
  };
  return { ...entry, check, secrets };
}

/**
 * A settings key with an address that may contain credentials. Outputs mask each part of its path and query that is long and not a plain
 * word.
 */
export function credentialAddress<E extends KeyEntry<string>>(entry: E) {
  return { ...entry, secrets: partsOfAddress };
}

function partsOfAddress(value: string): string[] {
  const { pathname, searchParams } = URL.parse(value) ?? new URL('http://none.invalid/');
  const parts = [...pathname.split('/').map(decoded), ...searchParams.values()];
  return parts.filter((part) => part.length >= 8 && !/^\p{Lu}?\p{Ll}+$/u.test(part));
}

export function longSecret(value: string): Checked<string> {
  return value.length >= 16 ? { value } : { problem: 'is shorter than 16 characters and could be guessed' };
}
