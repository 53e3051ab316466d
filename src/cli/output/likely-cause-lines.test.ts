import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { callOf } from '../../engine/run/index.ts';
import { fakeResponse } from '../../testing/contract/fake-response.ts';
import { fakeExchange, fakeResult } from '../../testing/monitor/fakes.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { redsOf, redsOfCheck } from './likely-cause-lines.ts';

const failing = fakeExchange({ response: fakeResponse(200, {}) });

// A fault agrees with the symptoms of what it explains, so without one no fault is named.
const rows: [claim: `${'documented' | 'specified' | 'assumed'}: ${string}`, symptom: string | undefined][] = [
  ['documented: the list mentions a friend just blocked', '2xx json'],
  ['assumed: success is a 2xx', '2xx json'],
  ['specified: the team’s document describes it', undefined],
];
for (const [claim, symptom] of rows) {
  test(`${claim}: ${symptom ?? 'no'} symptom, in both runners`, () => {
    const folder = ownFolder();
    const file = join(folder, 'outcomes.json');
    const [grade] = claim.split(':') as ['documented' | 'specified' | 'assumed'];
    const failures = [{ grade, call: callOf(failing) }];
    const outcome = { environment: 'e', title: 'block', area: 'friends', outcome: 'failed', isJudged: true, failures };
    writeFileSync(file, JSON.stringify([outcome]));
    const expected = [{ title: 'block', ...(symptom ? { symptom } : {}) }];
    assert.deepEqual(redsOf(file)[0]?.red, expected);
    const result = { ...fakeResult('failed', 0), title: 'block', grade, failing };
    // Only the in-process runner knows the operation of the failing call.
    const { operation } = failing;
    const named = expected.map((red) => ({ ...red, operation }));
    assert.deepEqual(redsOfCheck('e', [result]).red, named);
  });
}
