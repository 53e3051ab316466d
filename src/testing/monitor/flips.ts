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

/** A flip of a scenario in an environment; its cause, or the address of a broken expectation. */
export function flip(
  at: number,
  title: string,
  to: 'down' | 'up' | 'skipped',
  given: string | Cause = 'http://a/',
): Flip {
  const cause = typeof given === 'string' ? ({ kind: 'address', address: given } as const) : given;
  const bad = cause.kind === 'skipped' ? 'skipped' : 'down';
  const verdict = ({ up: 'passed', skipped: 'skipped', down: 'failed' } as const)[to];
  const from = to === 'up' ? bad : 'up';
  return fakeFlip({ scenario: { environment: 'e', title }, since: at, from, to, verdict, cause });
}

/** A failure that addresses 1 to 6 share. */
export const failingAt = (phase: 'connect' | 'processing' | 'response', code: string, ...hosts: number[]): Cause => ({
  kind: phase === 'connect' ? 'host' : 'address',
  address: `http://${hosts[0]}/`,
  pattern: {
    phase,
    code,
    addresses: hosts.map((host) => `http://${host}/`),
    areas: hosts.map((n) => areaIds[n - 1] as (typeof areaIds)[number]),
    of: 6,
  },
});
export const refused = (...hosts: number[]) => failingAt('connect', 'ECONNREFUSED', ...hosts);
