import assert from 'node:assert/strict';
import { test } from 'node:test';
import { services } from '../timeline/services.ts';
import { playDrill } from './play.ts';

// Every fault on every service is drilled by `npm run drill:wire`. Here each service gets another part of the table.
const OF = 40;

for (const [index, [name, serve]] of Object.entries(services).entries())
  test(`a drill of ${name} sees what can be seen, and leaves it as it was`, async (t) => {
    await serve(async (environment) => {
      const { outcomes, requests, isSame, left } = await playDrill(name, environment, 3 * index, OF);
      const missed = outcomes.filter(({ became }) => became !== 'caught');
      t.diagnostic(`${outcomes.length - missed.length} of ${outcomes.length} in ${requests} requests`);
      for (const { name: fault, reason } of missed) t.diagnostic(`${fault}: ${reason}`);
      assert.ok(isSame, 'the lists or the profiles differ');
      assert.equal(left, 0, 'changes could not be undone');
      assert.ok(outcomes.length - missed.length > outcomes.length / 2);
      for (const { reason } of missed) assert.ok(reason && reason !== 'no scenario sends it');
    });
  });
