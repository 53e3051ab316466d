import assert from 'node:assert/strict';
import fs, { readdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { change, onDisk, replaceDisk, scenario } from '../../testing/journal-state.ts';
import { Journal, JournalFailed, journalFolder } from './journal.ts';
import { readJournals } from './read-journals.ts';

/** Lets the disk be full from the `from`th write on; a write that finds a little room writes half. */
function fullDisk(t: TestContext, from: number): () => void {
  const { writeSync } = fs;
  let writes = 0;
  return replaceDisk(t, {
    writeSync: (descriptor: number, bytes: Buffer, offset: number, length: number, at: number) => {
      if (++writes < from) return writeSync(descriptor, bytes, offset, length, at);
      if (writes === from) return writeSync(descriptor, bytes, offset, Math.floor(length / 2), at);
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    },
  });
}

test('on a full disk no change is made, and each try leaves neither a file nor an open one', async (t) => {
  fullDisk(t, 1);
  const journal = new Journal('test', 'run');
  const opened = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
  await assert.rejects(journal.add(scenario, change), /its undo could not be written\. .*its disk is full/);
  const before = opened();
  for (let n = 0; n < 20; n++) await assert.rejects(journal.add(scenario, change), JournalFailed);
  assert.equal(opened(), before);
  assert.deepEqual(readdirSync(journalFolder('test')), []);
});

test('half a line, on a disk that is full for a while, spoils no later one', async (t) => {
  const journal = new Journal('test', 'run');
  const makeRoom = fullDisk(t, 3);
  const first = await journal.add(scenario, change);
  await assert.rejects(journal.add(scenario, { ...change, args: { friendId: 'cleo' } }), JournalFailed);
  makeRoom();
  const third = await journal.add(scenario, { ...change, args: { friendId: 'dora' } });
  assert.deepEqual(onDisk(), [first, third]);
  assert.deepEqual(
    readJournals('test').map(({ damaged }) => damaged),
    [[]],
  );
});
