import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../../../reference-service/faults/fault-switch.ts';
import { handle } from '../../../reference-service/faults/kind.ts';
import { Refusal } from '../../../reference-service/refusal.ts';
import { play } from '../../testing/play.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { embeddedEnvironment } from '../../testing/test-environment.ts';

const service = await ownService();

/** Who loves what, as `user story`, and what a request did to that. */
interface Loves {
  readonly all: Set<string>;
  readonly user: string;
  readonly story: string;
  readonly wasLoved: boolean;
}

interface Habits {
  /** What happens to other loves. */
  readonly love?: (loves: Loves) => void;
  readonly unlove?: (loves: Loves) => void;
  /** @throws Refusal */
  readonly body: (loves: Loves, isLoved: boolean) => unknown;
}

/** A service whose loves are as they are given. */
function lovesOf({ love, unlove, body }: Habits): Fault[] {
  const all = new Set<string>();
  const change = (isLoved: boolean, also?: (loves: Loves) => void) =>
    handle<'love'>(() => ({ userId: user, args: { storyId: story } }) => {
      const loves = { all, user, story, wasLoved: all.has(`${user} ${story}`) };
      also?.(loves);
      if (isLoved) all.add(`${user} ${story}`);
      else all.delete(`${user} ${story}`);
      const shown = body(loves, isLoved);
      return shown === undefined ? { status: 204 } : { status: 200, body: shown };
    });
  return [
    { name: 'love', operation: 'love', handle: change(true, love) },
    { name: 'unlove', operation: 'unlove', handle: change(false, unlove) },
  ];
}

const strictly: Habits['body'] = ({ wasLoved }, isLoved) => {
  if (wasLoved === isLoved) throw new Refusal(409, 'so_already', 'it is so already');
  return { done: true };
};
const counting: Habits['body'] = ({ all, story }) => ({
  loves: [...all].filter((each) => each.endsWith(` ${story}`)).length,
});
const forgetful: Habits['unlove'] = ({ all, user }) => {
  for (const each of all) if (each.startsWith(`${user} `)) all.delete(each);
};
let requests = 0;

const keeps = 'a love is kept';
const leaves = 'unloving one story leaves the other loved';
const nothing = /^skipped unproven: no response to love story or unlove story shows whether it was done/;
const restless = /^skipped unproven: its responses differ each time/;

const rows: [what: string, habits: Habits, kept: RegExp, left: RegExp][] = [
  ['refuses what is so already', { body: strictly }, /^passed/, /^passed/],
  ['counts', { body: counting }, /^passed/, /^passed/],
  ['says whether something changed', { body: ({ wasLoved }) => ({ was: wasLoved }) }, /^passed/, /^passed/],
  ['says nothing', { body: () => undefined }, nothing, nothing],
  ['says what was asked for', { body: (_, isLoved) => ({ isLoved }) }, nothing, nothing],
  ['takes turns', { body: () => ({ isFirstServer: requests++ % 2 === 0 }) }, restless, restless],
  ['counts requests', { body: () => ({ seen: requests++ }) }, restless, restless],
  [
    'is popular',
    {
      body: ({ all }) => ({ loves: all.size + 3 * requests++ }),
    },
    restless,
    restless,
  ],
  [
    'lets a user love one story alone',
    { love: forgetful, body: strictly },
    /^passed/,
    /^skipped unproven: unlove story of the first of two is refused/,
  ],
  [
    'refuses, and forgets all',
    { unlove: forgetful, body: strictly },
    /^passed/,
    /^failed documented: unlove story undoes that one, and no other — the status is 409 \(refused\), as where story-harbour-seal itself/,
  ],
  [
    'counts, and forgets all',
    { unlove: forgetful, body: counting },
    /^passed/,
    /^failed documented: unlove story undoes that one, and no other — \/loves is 1, as where/,
  ],
];

for (const [what, habits, kept, left] of rows)
  test(`a love at a service that ${what}`, async () => {
    const { observed: _, data, ...embedded } = embeddedEnvironment(service);
    const name = what.replaceAll(/\W/g, '-');
    const environment = { ...embedded, name, data };
    for (const [title, expected] of [
      [keeps, kept],
      [leaves, left],
    ] as const) {
      service.faults.set(...lovesOf(habits));
      const { verdict, reason = '' } = await play(title, environment);
      assert.match(`${verdict} ${reason}`, expected);
    }
  });
