import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { localElsewhere } from '../../testing/programs/local-elsewhere.ts';
import { startCommand } from '../../testing/programs/run-command.ts';

const title = 'love, then unlove';

test('check keeps the same list: quarantined, over, unusable', async (t) => {
  const { environments, env, remove } = await localElsewhere();
  t.after(remove);
  const checked = async (list: unknown) => {
    writeFileSync(join(environments, 'quarantine.json'), JSON.stringify(list));
    const { said, ended } = startCommand(['check', '--env', 'local', '--scenario', title], env);
    return { code: await ended, said: said() };
  };
  const entry = { title, owner: 'ann', reason: 'STORY-1' };

  const during = await checked([{ ...entry, until: '2999-01-01' }]);
  assert.equal(during.code, 0, during.said);
  assert.match(during.said, /passed, though quarantined until 2999-01-01 \(ann\): STORY-1/);

  const over = await checked([{ ...entry, until: '2020-01-01' }]);
  assert.equal(over.code, 3, over.said);
  assert.match(over.said, /it passed, but its quarantine ended on 2020-01-01 \(ann\)/);

  const unusable = await checked([{ ...entry, until: 'soon' }]);
  assert.equal(unusable.code, 2, unusable.said);
  assert.match(unusable.said, /quarantine\.json .*until must be a day/);
});
