import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { headerValue } from '../../call/index.ts';
import type { Environment } from '../../environment/index.ts';
import { scenarios } from '../../run/index.ts';
import { readJournals } from '../../safety/index.ts';
import { headerSets, operation } from '../../service/index.ts';
import { strangers } from '../../testing/survey/strangers/index.ts';
import { withStranger } from '../../testing/survey/strangers/stranger.ts';
import { drillService } from './drill-service.ts';
import { wireFaults } from './faults.ts';
import { playedFor } from './plan.ts';

// `strangers` are services that the suite was not developed with; none has a provisioner here. Each is drilled with a different part of the
// faults.
const ONE_OF = Object.keys(strangers).length;

/** The caller's lists and profile, read without the suite's middleware. */
async function stateOf({ addresses, caller, blockListSegments, readProfile }: Environment): Promise<string[]> {
  const found: string[] = [];
  for (const read of [operation('listBlocked'), operation('listBlockers'), ...(readProfile ? [readProfile] : [])]) {
    const values: Readonly<Record<string, string>> = { ...blockListSegments, userId: caller.userId };
    const path = read.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? name));
    const headers = headerSets[read.headerSet].map((name) => {
      const { masked, secret = masked } = headerValue(caller, name);
      return [name, secret] as [string, string];
    });
    const response = await fetch(new URL(path.slice(1), addresses[read.area]), { method: read.method, headers });
    // The text of a refusal, for example for an empty list, may differ each time.
    found.push(`${path} ${response.status} ${response.ok ? await response.text() : ''}`);
  }
  return found;
}

for (const [index, [name, stranger]] of Object.entries(strangers).entries())
  test(`a drill of ${name} sees what can be seen, and leaves it as it was`, async (t) => {
    await withStranger(stranger, async (given) => {
      const { provisionUrl: _, ...rest } = given;
      const environment = { ...rest, consistencyTimeoutMs: /lag/.test(name) ? 2_000 : 300 };
      const before = await stateOf(environment);
      const faults = wireFaults(environment.readProfile).filter((_, place) => place % ONE_OF === index % ONE_OF);
      const played = playedFor(faults, [...(await scenarios()), ...(await scenarios('auth'))]);
      const { outcomes, requests } = await drillService({ environment, scenarios: played, faults, seed: 'wire' });
      const missed = outcomes.filter(({ caught }) => !caught);
      t.diagnostic(`${outcomes.length - missed.length} of ${faults.length} in ${requests} requests`);
      for (const { name: fault, reason } of missed) t.diagnostic(`${fault}: ${reason}`);
      // A list may lag behind the last undo.
      let after = await stateOf(environment);
      for (let times = 0; times < 20 && !isDeepStrictEqual(after, before); times++) {
        await wait(250);
        after = await stateOf(environment);
      }
      assert.deepEqual(after, before);
      assert.deepEqual(
        readJournals(environment).flatMap(({ pending }) => pending),
        [],
        'changes could not be undone',
      );
      assert.equal(outcomes.length, faults.length);
      assert.ok(missed.length < outcomes.length / 2, `${missed.length} of ${outcomes.length} missed`);
    });
  });
