import { credentialCure, credentialEndText, type Environment, endingCredentials } from '../../environment/index.ts';
import { firstArea } from '../../service/index.ts';
import type { HistoryDatabase } from '../history/database.ts';
import { addNotice } from '../history/outbox.ts';
import { noticeOfNone } from './notice.ts';
import { hearsOf, type Routes } from './routes.ts';

interface ExpiryNoticesOptions {
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
      const { name, addresses } = environment;
      const id = [db.instance, 'expiry', name, end.key, end.endsAt].join('-');
      const headline = `${name}: ${credentialEndText(end, now)}; ${credentialCure(end)}`;
      const of = { kind: 'expiring', incident: id, environment: name, headline, link: pageUrl } as const;
      const notice = noticeOfNone(of, addresses[firstArea].href, now, Math.max(end.endsAt, now + DAY_MS));
      const row = { incident: 0, kind: 'expiring', body: JSON.stringify(notice) } as const;
      // A channel that is for some scenarios alone hears of no credential.
      for (const channel of channels.filter((each) => hearsOf(routes, each, name)))
        addNotice(db, { ...row, key: `${id}-${channel}`, channel }, now);
    }
}

const DAY_MS = 86_400_000;
