import { credentialCure, credentialEndText, type Environment, endingCredentials } from '../../environment/index.ts';
import { type Certificate, certificateWarnings } from '../../run/index.ts';
import { firstArea } from '../../service/index.ts';
import type { HistoryDatabase } from '../history/database.ts';
import { addNotice } from '../history/outbox.ts';
import { noticeOfNone } from './notice.ts';
import { hearsOf, type Routes } from './routes.ts';

interface ExpiryNoticesOptions {
  readonly db: HistoryDatabase;
  readonly environments: readonly Environment[];
  /** The certificates that the addresses of an environment presented last. */
  readonly certificates: (environment: Environment) => Iterable<Certificate>;
  readonly channels: readonly string[];
  readonly routes: Routes;
  readonly pageUrl: string;
}

/**
 * A credential or certificate that expires soon. `id` is a part of the notice's id, `address` is the address that uses it, `endsAt` is an
 * epoch, in ms, and `text` is a sentence about it.
 */
interface Expiry {
  readonly id: string;
  readonly address: string;
  readonly endsAt: number;
  readonly text: string;
}

/**
 * Writes a notice about each credential, and each certificate of the service, that expires soon. There is only one notice for each expiry,
 * even if the monitor restarts in between. `now` is an epoch, in ms.
 */
export function writeExpiryNotices(options: ExpiryNoticesOptions, now: number): void {
  const { db, environments, channels, routes, pageUrl } = options;
  for (const environment of environments)
    for (const { id: what, address, endsAt, text } of expiriesOf(environment, options.certificates(environment), now)) {
      const { name } = environment;
      const id = [db.instance, 'expiry', name, what, endsAt].join('-');
      const of = {
        kind: 'expiring',
        incident: id,
        environment: name,
        headline: `${name}: ${text}`,
        link: pageUrl,
      } as const;
      const notice = noticeOfNone(of, address, now, Math.max(endsAt, now + DAY_MS));
      const row = { incident: 0, kind: 'expiring', body: JSON.stringify(notice) } as const;
      // Leaves out channels that get notices only by tags of scenarios, because an expiry has no tags.
      for (const channel of channels.filter((each) => hearsOf(routes, each, name)))
        addNotice(db, { ...row, key: `${id}-${channel}`, channel }, now);
    }
}

function expiriesOf(environment: Environment, certificates: Iterable<Certificate>, now: number): Expiry[] {
  const address = environment.addresses[firstArea].href;
  const credentials = endingCredentials(environment, now).map((end) => {
    const text = `${credentialEndText(end, now)}; ${credentialCure(end)}`;
    return { id: end.key, address, endsAt: end.endsAt, text };
  });
  const ofService = Array.from(certificates).flatMap((certificate) => {
    const { address: shownBy, validTo } = certificate;
    const seen = { ...certificate, daysLeft: Math.floor((validTo - now) / DAY_MS) };
    const texts = certificateWarnings([seen], environment.certificateWarningDays);
    return texts.map((text) => ({ id: shownBy, address: shownBy, endsAt: validTo, text: `${text}; renew it` }));
  });
  return [...credentials, ...ofService];
}

const DAY_MS = 86_400_000;
