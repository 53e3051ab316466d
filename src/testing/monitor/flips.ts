import type { Cause, Flip } from '../../monitor/status/flip.ts';
import type { Incident } from '../../monitor/status/incident.ts';
import { IncidentBook, type JoinRule, joinedIncident } from '../../monitor/status/incident-book.ts';
import { areaIds } from '../../spec/index.ts';

/** Incidents as the monitor makes them: each flip joins the one it belongs to. */
export function bookOf(all: readonly Flip[], rule: Partial<JoinRule> = {}): Incident[] {
  const book = new IncidentBook();
  const audible: JoinRule = { withinMs: 10, isMuted: () => false, isMaintenance: () => false };
  for (const each of all) {
    const joined = each.to === 'up' ? undefined : joinedIncident(each, book, { ...audible, ...rule });
    const [incident] = book.add({ ...each, incident: joined?.id ?? each.id });
    // Who muted it was told of the flip that opened it.
    if (incident && incident.told.size === 0 && rule.isMuted?.(incident))
      incident.told.set('webhook', { hits: new Set([each.id]), last: { kind: 'down', at: each.at } });
  }
  return [...book.all];
}

let ids = 0;

/** A scenario that goes down, or what `more` says of it. */
export function fakeFlip(more: Partial<Flip> = {}): Flip {
  return {
    id: ++ids,
    scenario: { environment: 'e', title: 'block' },
    area: 'friends',
    at: more.since ?? 0,
    from: 'up',
    to: 'down',
    since: 0,
    verdict: 'failed',
    cause: { kind: 'address', address: 'http://a/' },
    ...more,
  };
}

const verdicts = { host: 'unreachable', address: 'failed', skipped: 'skipped', unjudged: 'unknown' } as const;

const states = { '-': 'down', '+': 'up', '~': 'skipped' } as const;

/** Phase and code of a call that nothing usable comes back from. */
export const lost = {
  refused: ['connect', 'ECONNREFUSED'],
  late: ['connect', 'ETIMEDOUT'],
  expired: ['tls', 'CERT_HAS_EXPIRED'],
  silent: ['processing', 'DEADLINE'],
} as const;

/**
 * Flips as a text: `1 -block; 5 +qa:block refused 1,2 with a,b`. When, what went down (`-`), could no longer run (`~`) or recovered (`+`), of
 * environment `e` unless it is named, how (an expectation broken, a status, no connection) and at which addresses, seen with which environments.
 * An address is that of an area by its number, or a host.
 */
export function flipsOf(story: string): Flip[] {
  const last = new Map<string, Flip>();
  return story.split('; ').map((text) => {
    const found = /^(\d+) ([-+~])(?:(\w+):)?(\w+)(?: (\w+) ([^ ]+))?(?: with (\S+))?$/.exec(text) ?? [];
    const [, at = '', sign = '-', environment = 'e', title = '', how, hosts = '1', others] = found;
    const to = states[sign as keyof typeof states];
    const before = last.get(`${environment} ${title}`);
    const isAgain = to === 'up' && how === undefined && before !== undefined;
    const cause = isAgain ? before.cause : causeOf(to === 'skipped' ? to : how, hosts.split(','), others?.split(','));
    const verdict = verdicts[cause.kind];
    const flip = fakeFlip({
      scenario: { environment, title },
      since: Number(at),
      from: before?.to ?? 'up',
      to,
      verdict,
      cause,
    });
    last.set(`${environment} ${title}`, flip);
    return flip;
  });
}

/** A story counts the areas from this one, wherever another one is added. */
const counted = areaIds.slice(areaIds.indexOf('friends'));

function causeOf(how = 'broken', hosts: readonly string[], others: readonly string[] | undefined): Cause {
  const areas = hosts.map((host) => counted[Number(host) - 1] ?? 'friends');
  const addresses = hosts.map((host, index) => `http://${/^\d$/.test(host) ? `${areas[index]}.test` : host}/`);
  const [address = ''] = addresses;
  if (how === 'broken' || how === 'skipped') return { kind: how === 'skipped' ? 'skipped' : 'address', address };
  const [phase, code] = how in lost ? lost[how as keyof typeof lost] : (['response', how] as const);
  const pattern = { phase, code, addresses, areas, of: 6, ...(others ? { others } : {}) };
  return { kind: phase === 'connect' || phase === 'tls' ? 'host' : 'address', address, pattern };
}
