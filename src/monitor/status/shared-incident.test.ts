import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookOf, fakeFlip } from '../../testing/monitor/flips.ts';
import { extentOf } from './extent.ts';
import type { Cause, Flip, Pattern } from './flip.ts';
import type { JoinRule } from './joined-incident.ts';

function flip(at: number, environment: string, cause: Cause, to: 'down' | 'up' = 'down', title = 'block'): Flip {
  const from = to === 'up' ? 'down' : 'up';
  const verdict = to === 'up' ? 'passed' : 'unreachable';
  return fakeFlip({ scenario: { environment, title }, since: at, from, to, verdict, cause });
}

/** A failure at `address`, seen to be that of other environments too. */
function at(address: string, phase: Pattern['phase'], code: string, ...others: string[]): Cause {
  const pattern = { phase, code, areas: ['friends'] as const, addresses: [address], of: 6 };
  return {
    kind: phase === 'response' ? 'address' : 'host',
    address,
    pattern: { ...pattern, ...(others.length > 0 ? { others } : {}) },
  };
}

const refused = (address: string, ...others: string[]) => at(address, 'connect', 'ECONNREFUSED', ...others);
const status = (address: string, code: string) => at(address, 'response', code);
const broken = (address: string): Cause => ({ kind: 'address', address });

const rows: [name: string, flips: Flip[], incidents: string[], rule?: Partial<JoinRule>][] = [
  [
    'environments on one host that is gone',
    [flip(1, 'a', refused('http://h/a/')), flip(5, 'b', refused('http://h:81/b/')), flip(9, 'c', refused('http://h/'))],
    ['a b c open'],
  ],
  ['another host', [flip(1, 'a', refused('http://h/')), flip(2, 'b', refused('http://i/'))], ['a open', 'b open']],
  [
    'another reason at the same host',
    [flip(1, 'a', refused('http://h/')), flip(2, 'b', at('http://h/', 'connect', 'DEADLINE'))],
    ['a open', 'b open'],
  ],
  [
    'much later it may be another cause, whatever was seen to fail with the first',
    [flip(1, 'a', refused('http://h/', 'c')), flip(50, 'b', refused('http://h/')), flip(60, 'c', refused('http://h/'))],
    ['a open', 'b c open'],
  ],
  [
    'a gateway that answers with a server error everywhere',
    [flip(1, 'a', status('http://h/a/', '503')), flip(2, 'b', status('http://h/b/', '503'))],
    ['a b open'],
  ],
  [
    'an expectation that is broken at one address',
    [
      flip(1, 'a', broken('http://h/')),
      flip(2, 'b', broken('http://h/')),
      flip(3, 'c', broken('http://h/c/')),
      flip(4, 'd', broken('http://h/'), 'down', 'list'),
      flip(50, 'e', broken('http://h/')),
    ],
    ['a b open', 'c open', 'd open', 'e open'],
  ],
  [
    'an error that is the caller’s, and a broken expectation beside it, are of one environment',
    [
      flip(1, 'a', status('http://h/', '404')),
      flip(2, 'b', status('http://h/', '404')),
      flip(3, 'c', broken('http://h/')),
    ],
    ['a open', 'b open', 'c open'],
  ],
  [
    'one recovers first, and fails again while the others are down',
    [
      flip(1, 'a', refused('http://h/')),
      flip(2, 'b', refused('http://h/')),
      flip(30, 'a', refused('http://h/'), 'up'),
      flip(60, 'a', refused('http://h/')),
      flip(70, 'a', refused('http://h/'), 'up'),
      flip(80, 'b', refused('http://h/'), 'up'),
    ],
    ['a b a until 80'],
  ],
  [
    'what fails in maintenance, or is muted, takes in no other environment',
    [flip(1, 'quiet', refused('http://h/')), flip(2, 'b', refused('http://h/')), flip(3, 'c', refused('http://h/'))],
    ['quiet open', 'b c open'],
    { isMaintenance: (name) => name === 'quiet' },
  ],
  [
    'a muted incident takes in an environment that it named, and no other',
    [flip(1, 'a', refused('http://h/', 'b')), flip(2, 'b', refused('http://h/')), flip(3, 'c', refused('http://h/'))],
    ['a b open', 'c open'],
    { isMuted: ({ environment }) => environment === 'a' },
  ],
];

for (const [name, all, expected, rule] of rows)
  test(`incidents of several environments: ${name}`, () => {
    const found = bookOf(all, rule).map(({ hits, until }) =>
      [...hits.map(({ scenario }) => scenario.environment), until === undefined ? 'open' : `until ${until}`].join(' '),
    );
    assert.deepEqual(found, expected);
  });

test('scenarios of one name are several in several environments', () => {
  const [incident] = bookOf([
    flip(1, 'a', refused('http://h/')),
    flip(2, 'b', refused('http://h/')),
    flip(3, 'a', refused('http://h/'), 'up'),
  ]);
  assert.deepEqual(
    incident?.open.map(({ scenario }) => scenario.environment),
    ['b'],
  );
  assert.deepEqual(
    incident?.leaves.map(({ scenario }) => scenario.environment),
    ['a'],
  );
});

test('the extent of an incident of several environments', () => {
  const first = flip(1, 'a', refused('http://h/a/', 'b'));
  const [incident] = bookOf([first, flip(2, 'c', refused('http://h/c/'))]);
  const { environments, of, hosts } = extentOf(incident?.hits ?? []);
  assert.deepEqual([environments, of, [...hosts]], [['a', 'b', 'c'], 0, ['h']]);
});
