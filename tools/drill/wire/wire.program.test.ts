import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inThread } from '../../../src/testing/in-thread.ts';
import { services } from '../timeline/services.ts';

// Every fault on every service is drilled by `npm run drill:wire`. Here each service gets another part of the table.
const OF = 40;

const play = inThread<typeof import('./play.ts')>('tools/drill/wire/play');

for (const [index, service] of Object.keys(services).entries())
  test(`a drill of ${service} sees what can be seen, and leaves it as it was`, async (t) => {
    const { outcomes, requests, isSame, left } = await play('drillNamed', { service, from: 3 * index, of: OF });
    const missed = outcomes.filter(({ became }) => became !== 'caught');
    t.diagnostic(`${outcomes.length - missed.length} of ${outcomes.length} in ${requests} requests`);
    for (const { name: fault, reason } of missed) t.diagnostic(`${fault}: ${reason}`);
    assert.ok(isSame, 'the lists or the profiles differ');
    assert.equal(left, 0, 'changes could not be undone');
    assert.ok(outcomes.length - missed.length > outcomes.length / 2);
    for (const { reason } of missed) assert.ok(reason && reason !== 'no scenario sends it');
  });
