import { randomUUID } from 'node:crypto';
import { redactJson } from '../../client/index.ts';
import type { Send } from './channel.ts';
import type { Notice } from './notice.ts';

const DEADLINE_MS = 15_000;

/** Sends one test notice, which links to the page; returns the reason if that failed. `now` is an epoch, in ms. */
export async function sendTest(send: Send, now: number, pageUrl: string): Promise<string | undefined> {
  const at = new Date(now).toISOString();
  const notice: Notice = {
    kind: 'test',
    incident: `test-${randomUUID()}`,
    environment: 'test',
    cause: { kind: 'address', address: 'http://test.invalid/' },
    headline: 'Sextant test notice: this channel works, no action needed',
    at,
    since: at,
    until: at,
    durationMs: 0,
    scenarios: [],
    link: pageUrl,
  };
  try {
    await send(redactJson(notice), {
      key: `sextant-${notice.incident}`,
      signal: AbortSignal.timeout(DEADLINE_MS),
      now,
    });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
