import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { ownFolder, ownService } from '../../testing/servers/own-service.ts';
import { environmentText, seededData } from '../../testing/test-environment.ts';

const title = 'love, then unlove';
const folder = ownFolder();
const { addresses } = await ownService();
writeFileSync(join(folder, 'mine.env'), environmentText(addresses, { ...seededData, ALLOWED_EFFECTS: 'reversible' }));
Object.assign(process.env, { SEXTANT_ENVIRONMENTS: folder, SEXTANT_OUTPUT: join(folder, 'output') });

const rows: [what: string, until: string, code: number, says: RegExp][] = [
  ['quarantined', '2999-01-01', 0, /passed, though quarantined until 2999-01-01 \(ann\): STORY-1/],
  ['over', '2020-01-01', 3, /it passed, but its quarantine ended on 2020-01-01 \(ann\)/],
  ['unusable', 'soon', 2, /quarantine\.json .*until must be a day/],
];
for (const [what, until, code, says] of rows)
  test(`check keeps the same list: ${what}`, async () => {
    writeFileSync(join(folder, 'quarantine.json'), JSON.stringify([{ title, owner: 'ann', reason: 'STORY-1', until }]));
    const ended = await runInProcess(['check', '--env', 'mine', '--scenario', title]);
    assert.equal(ended.code, code, ended.out + ended.err);
    assert.match(ended.out + ended.err, says);
  });
