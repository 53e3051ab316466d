import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigurationError } from '../../config/index.ts';
import { keepCurrent } from './keep-current.ts';

/** What was done while the files changed through `versions`: `!` can't be loaded, `#` is a bug, `?` can't be started. */
async function storyOf(...versions: readonly string[]): Promise<string> {
  const done: string[] = [];
  const controller = new AbortController();
  let at = -1;
  const current = () => versions[at] ?? '';
  await keepCurrent({
    first: 'a',
    load: () => {
      if (current() === '!') throw new ConfigurationError('wrong');
      if (current() === '#') throw new TypeError('a bug');
      return current();
    },
    start: async (version) => {
      if (version.startsWith('?')) throw new ConfigurationError('taken');
      done.push(`start ${version}`);
      return {
        stop: async () => {
          done.push(`stop ${version}`);
        },
      };
    },
    fingerprint: () => {
      at++;
      if (at >= versions.length) controller.abort();
      return current();
    },
    say: (line) => void done.push(line.endsWith('the new one.') ? 'new' : `kept: ${line.split(' ').at(-1)}`),
    signal: controller.signal,
    everyMs: 1,
  });
  return done.join(', ');
}

const rows: [name: string, versions: string[], story: string][] = [
  ['without a change it runs until the end', ['a', 'a'], 'start a, stop a'],
  ['a change starts it anew, once', ['a', 'b', 'b'], 'start a, stop a, start b, new, stop b'],
  ['what is wrong is said once, and changes nothing', ['a', '!', '!'], 'start a, kept: wrong, stop a'],
  ['until it is mended', ['a', '!', 'b'], 'start a, kept: wrong, stop a, start b, new, stop b'],
  [
    'what does not start leaves the earlier one',
    ['a', '?', 'a'],
    'start a, stop a, kept: taken, start a, stop a, start a, new, stop a',
  ],
];

for (const [name, versions, story] of rows)
  test(`configuration: ${name}`, async () => assert.equal(await storyOf(...versions), story));

test('an error that is not of the configuration is not hidden', () => assert.rejects(storyOf('a', '#'), TypeError));

test('a SIGHUP reads the configuration again, though no file has changed', {
  skip: process.platform === 'win32',
}, async () => {
  const controller = new AbortController();
  const said: string[] = [];
  const kept = keepCurrent({
    first: 1,
    load: () => 2,
    start: async (version) => {
      if (version === 2) controller.abort();
      return { version, stop: async () => {} };
    },
    fingerprint: () => 'same',
    say: (line) => void said.push(line),
    signal: controller.signal,
    everyMs: 60_000,
  });
  setTimeout(() => process.kill(process.pid, 'SIGHUP'), 50);
  assert.equal((await kept).version, 2);
  assert.deepEqual(said, ['The configuration was read again: the monitor goes on with it.']);
});
