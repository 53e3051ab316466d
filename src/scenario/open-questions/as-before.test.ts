import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../../../reference-service/faults/fault-switch.ts';
import { handle } from '../../../reference-service/faults/kind.ts';
import { play } from '../../testing/play.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { embeddedEnvironment } from '../../testing/test-environment.ts';

const service = await ownService();

const oldestFirst: Fault = {
  name: 'oldest-first',
  operation: 'listBlocked',
  handle: handle<'listBlocked'>((original) => (visit) => {
    const reply = original(visit);
    return { ...reply, body: (reply.body as unknown[]).toReversed() };
  }),
};

const fallsBack: Fault = {
  name: 'falls-back',
  operation: 'evaluate',
  handle: handle<'evaluate'>((original) => (visit) => original({ ...visit, args: { ...visit.args, key: 'nobody-s' } })),
};

const rows: [title: string, fault: Fault, times: number, first: RegExp, later: RegExp][] = [
  [
    'block three, then unblock the one between',
    oldestFirst,
    8,
    /^passed/,
    /^drifted learned: listBlocked of entries is newest first here — it was oldest first; accepted 8 times/,
  ],
  [
    'a flag that exists has its own value',
    fallsBack,
    1,
    /^skipped unproven: new-home falls back to the default; FLAG_VALUE says/,
    /^drifted learned: new-home has a value of its own here — it fell back to the default; accepted 1 time/,
  ],
];

for (const [title, fault, times, first, later] of rows)
  test(`${title}: what is open is held to what was always so here`, async () => {
    const run = async (environment: ReturnType<typeof embeddedEnvironment>, ...faults: Fault[]) => {
      service.faults.set(...faults);
      const { verdict, reason = '' } = await play(title, environment);
      return `${verdict} ${reason}`;
    };
    const embedded = embeddedEnvironment(service);
    const { flagValue: _, ...data } = embedded.data;
    const environment = { ...embedded, data };
    assert.match(await run({ ...environment, name: 'another' }, fault), first);
    for (let time = 0; time < times; time++) assert.match(await run(environment), /^passed/);
    assert.match(await run(environment, fault), later);
  });
