import { matchesGlob } from 'node:path';
import {
  type CredentialEnd,
  credentialCure,
  credentialEndText,
  type Environment,
  endingCredentials,
} from '../../config/index.ts';
import { firstArea } from '../../spec/index.ts';
import type { HistoryDatabase } from '../history/database.ts';
import { addNoticeOnce } from '../history/outbox.ts';
import type { Notice } from './notice.ts';
import type { Routes } from './routes.ts';

export interface ExpiryNoticesOptions {
  readonly db: HistoryDatabase;
  readonly environments: readonly Environment[];
  readonly channels: readonly string[];
  readonly routes: Routes;
  readonly pageUrl: string;
}

/** Writes a notice of each credential that is about to expire: once for each expiry, whatever restarts in between. `now` is an epoch, in ms. */
export function writeExpiryNotices(options: ExpiryNoticesOptions, now: number): void {
  const { db, environments, channels, routes, pageUrl } = options;
  for (const environment of environments)
    for (const end of endingCredentials(environment, now)) {
      const id = [db.instance, 'expiry', environment.name, end.key, end.endsAt].join('-');
      const body = () => JSON.stringify(noticeOf(environment, end, { id, link: pageUrl, now }));
      for (const channel of channels)
        if (hearsOf(routes, channel, environment.name))
          addNoticeOnce(db, { key: `${id}-${channel}`, channel, body }, now);
    }
}

const DAY_MS = 86_400_000;

function noticeOf(
  { name, addresses }: Environment,
  end: CredentialEnd,
  { id, link, now }: { readonly id: string; readonly link: string; readonly now: number },
): Notice {
  const at = new Date(now).toISOString();
  return {
    kind: 'expiring',
    incident: id,
    environment: name,
    cause: { kind: 'address', address: addresses[firstArea].href },
    headline: `${name}: ${credentialEndText(end, now)}; ${credentialCure(end)}`,
    at,
    since: at,
    until: new Date(Math.max(end.endsAt, now + DAY_MS)).toISOString(),
    durationMs: 0,
    scenarios: [],
    link,
  };
}

/** A channel that is for some scenarios alone, or for what nobody acknowledges, hears of no credential. */
function hearsOf({ patterns, afterMs }: Routes, channel: string, environment: string): boolean {
  const own = patterns?.get(channel);
  return !afterMs?.has(channel) && (own?.some((pattern) => matchesGlob(environment, pattern)) ?? true);
}
