import type { Cause, Flip } from '../../monitor/status/flip.ts';
import type { Incident } from '../../monitor/status/incident.ts';
import { IncidentBook } from '../../monitor/status/incident-book.ts';
import { type JoinRule, joinedIncident } from '../../monitor/status/joined-incident.ts';
import { areaIds } from '../../spec/index.ts';

/** Incidents as the monitor makes them: each flip joins the one it belongs to. */
export function bookOf(all: readonly Flip[], rule: Partial<JoinRule> = {}): Incident[] {
  const book = new IncidentBook();
  const audible: JoinRule = { withinMs: 10, isMuted: () => false, isMaintenance: () => false, isBelieved: () => false };
  for (const each of all) {
    const joined = each.to === 'up' ? undefined : joinedIncident(each, book, { ...audible, ...rule });
    book.add({ ...each, incident: joined?.id ?? each.id });
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

const states = { '-': 'down', '+': 'up', '~': 'skipped' } as const;
const phases = { refused: 'ECONNREFUSED', late: 'DEADLINE' } as const;

/**
 * Flips as a text: `1 -block; 5 +qa:block refused 1,2 with a,b`. When, what went down (`-`), could no longer run (`~`) or recovered (`+`), of
 * environment `e` unless it is named, how (an expectation broken, a status, no connection) and at which addresses, seen with which environments.
 */
export function flipsOf(story: string): Flip[] {
  const last = new Map<string, Flip['to']>();
  return story.split('; ').map((text) => {
    const found = /^(\d+) ([-+~])(?:(\w+):)?(\w+)(?: (\w+) ([^ ]+))?(?: with (\S+))?$/.exec(text) ?? [];
    const [, at = '', sign = '-', environment = 'e', title = '', how = 'broken', hosts = '1', others] = found;
    const to = states[sign as keyof typeof states];
    const from = last.get(`${environment} ${title}`) ?? 'up';
    last.set(`${environment} ${title}`, to);
    const verdict = ({ up: 'passed', skipped: 'skipped', down: 'failed' } as const)[to];
    const cause = causeOf(to === 'skipped' ? 'skipped' : how, hosts.split(','), others?.split(','));
    return fakeFlip({ scenario: { environment, title }, since: Number(at), from, to, verdict, cause });
  });
}

function causeOf(how: string, hosts: readonly string[], others: readonly string[] | undefined): Cause {
  const addresses = hosts.map((host) => `http://${host}/`);
  const [address = ''] = addresses;
  if (how === 'broken' || how === 'skipped') return { kind: how === 'skipped' ? 'skipped' : 'address', address };
  const isOut = how in phases;
  const [phase, code] = isOut
    ? (['connect', phases[how as keyof typeof phases]] as const)
    : (['response', how] as const);
  const areas = hosts.map((host) => areaIds[Number(host) - 1] ?? 'friends');
  const pattern = { phase, code, addresses, areas, of: 6, ...(others ? { others } : {}) };
  return { kind: isOut ? 'host' : 'address', address, pattern };
}
