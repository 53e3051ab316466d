import type { Flip } from '../../monitor/status/flip.ts';

let ids = 0;

/** The flip of a scenario that goes down, changed by `more`. */
export function fakeFlip(more: Partial<Flip> = {}): Flip {
  const { since = 0 } = more;
  return {
    id: ++ids,
    scenario: { environment: 'e', title: 'block' },
    area: 'friends',
    at: since,
    from: 'up',
    to: 'down',
    since,
    steady: since,
    verdict: 'failed',
    cause: { kind: 'operation', address: 'http://a/', name: 'block' },
    ...more,
  };
}
