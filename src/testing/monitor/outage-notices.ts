import { composeNotice } from '../../monitor/alerting/compose-notice.ts';
import type { Notice } from '../../monitor/alerting/notice.ts';
import type { Moment } from '../../monitor/status/compared.ts';
import { dueNotice, type Told } from '../../monitor/status/due-notice.ts';
import type { Cause, Flip, Pattern } from '../../monitor/status/flip.ts';
import { IncidentBook } from '../../monitor/status/incident-book.ts';
import { fakeFlip } from './flips.ts';

export const MINUTE = 60_000;
const START = Date.parse('2026-11-20T10:00:00Z');
export const HOUR = 60;
const policy = { remindAfterMs: 3 * HOUR * MINUTE, gatherMs: MINUTE };
export const address: Cause = { kind: 'address', address: 'https://friends.your.org/' };
export const lacking: Cause = { kind: 'skipped', address: 'https://storage.your.org/' };

const areas = ['friends', 'stories', 'gameDesign', 'profile', 'features', 'storage'] as const;

/** A failure that `count` of six addresses share, on one host or on one each. */
export function shared(phase: Pattern['phase'], code: string, count: number, host?: string): Cause {
  const failing = areas.slice(0, count);
  const addresses = failing.map((area) => (host ? `https://${host}/${area}/` : `https://${area}.your.org/`));
  const isHost = phase === 'dns' || phase === 'connect' || phase === 'tls';
  const [first = ''] = addresses;
  return {
    kind: isHost ? 'host' : 'address',
    address: isHost ? new URL(first).origin : first,
    pattern: { phase, code, areas: failing, addresses, of: 6 },
  };
}

/** Minute and title, in another environment than staging behind its name, of what went down (`-`), could no longer run (`~`) and recovered (`+`), with its cause if it differs. */
export type Story = readonly (readonly [minute: number, change: string, cause?: Cause])[];

/** The same as a text: `0 -block; 3 -west: block; 185 +block`. */
export function storyOf(text: string): Story {
  return text.split('; ').map((part) => {
    const [, minute = '', change = ''] = /^(\d+) (.+)$/.exec(part) ?? [];
    return [Number(minute), change] as const;
  });
}

/** Nothing keeps notices back. */
export const audible: Omit<Moment, 'now'> = {
  isMuted: false,
  isQuiet: () => false,
  isPaused: () => false,
  isElsewhere: () => false,
  isMonitored: () => true,
  failures: () => 1,
  concernsFrom: () => Number.NEGATIVE_INFINITY,
};

/** Every notice of an outage to one channel, in order: what is due is asked each minute. */
export function noticesOf(
  cause: Cause,
  given: Story | string,
  minutes = Math.max(...(typeof given === 'string' ? storyOf(given) : given).map(([minute]) => minute)),
  keepsBack: Partial<Moment> = {},
  runbookUrl?: string,
): Notice[] {
  const story = typeof given === 'string' ? storyOf(given) : given;
  const book = new IncidentBook();
  const notices: Notice[] = [];
  let told: Told = { hits: new Set() };
  for (let minute = 0; minute <= minutes; minute++) {
    const now = START + minute * MINUTE;
    for (const [, change, own = cause] of story.filter(([at]) => at === minute)) {
      const [open] = book.open;
      book.add({ ...flip(change, now, own), ...(open ? { incident: open.id } : {}) });
    }
    for (const incident of book.all) {
      const { notice, told: hits } = dueNotice(incident, told, { ...audible, ...keepsBack, now }, policy);
      const last = notice ? { kind: notice.kind, at: now } : told.last;
      told = { hits, ...(last ? { last } : {}) };
      const context = { instance: 'i', pageUrl: 'https://page.your.org/', runbookUrl, now };
      if (notice) notices.push(composeNotice(incident, notice, context));
    }
  }
  return notices;
}

const reasons = {
  host: 'connection refused',
  address: 'documented: the list mentions a friend just blocked',
  unjudged: 'the suite could not judge: throttled (429)',
  skipped: 'needs a stored item to delete: all 40 ids of STORED_ITEM_IDS are used, and PROVISION_URL is not set',
};

export function flip(change: string, at: number, cause: Cause): Flip {
  const isBack = change.startsWith('+');
  const [title = '', environment = 'staging'] = change.slice(1).split(': ').reverse();
  const bad = cause.kind === 'skipped' ? 'skipped' : 'down';
  const status = Number(cause.pattern?.code ?? 200);
  const call = { operation: 'listBlocked' as const, origin: 'https://friends.your.org', status };
  const curl = "curl -sS 'https://friends.your.org/v1' -H 'Authorization: bearer ***'";
  return fakeFlip({
    scenario: { environment, title },
    area: cause.kind === 'skipped' ? 'storage' : 'friends',
    since: at,
    from: isBack ? bad : 'up',
    to: isBack ? 'up' : bad,
    verdict: cause.kind === 'host' ? 'unreachable' : cause.kind === 'skipped' ? 'skipped' : 'failed',
    reason: reasons[cause.kind],
    ...(cause.kind === 'skipped' ? {} : { curl }),
    ...(cause.kind === 'address' ? { grade: 'documented' as const, call } : {}),
    cause,
  });
}
