import assert from 'node:assert/strict';
import fs, { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { ownEnvironments, ownService } from '../../testing/servers/own-service.ts';
import { environmentText, seededData } from '../../testing/test-environment.ts';

const title = 'love, then unlove';
const keys = { ...seededData, ALLOWED_EFFECTS: 'reversible' };
const own = ownEnvironments({ mine: environmentText((await ownService()).addresses, keys) });
Object.assign(process.env, own.env);

const rows: [what: string, until: string, code: number, says: RegExp][] = [
  ['quarantined', '2999-01-01', 0, /passed, although quarantined until 2999-01-01 \(ann\): STORY-1/],
  ['over', '2020-01-01', 3, /it passed, but its quarantine ended on 2020-01-01 \(ann\)/],
  ['unusable', 'soon', 2, /quarantine\.json .*until must be a day/],
];
for (const [what, until, code, says] of rows)
  test(`check keeps the same list, and reads it once: ${what}`, async (t) => {
    const entry = { title, owner: 'ann', reason: 'STORY-1', until };
    writeFileSync(join(own.environments, 'quarantine.json'), JSON.stringify([entry]));
    const { mock } = t.mock.method(fs, 'openSync');
    const ended = await runInProcess(['check', '--env', 'mine', '--scenario', title]);
    assert.equal(ended.code, code, ended.out + ended.err);
    assert.match(ended.out + ended.err, says);
    const opened = mock.calls.filter(({ arguments: [path] }) => String(path).endsWith('quarantine.json'));
    assert.equal(opened.length, 1);
  });
