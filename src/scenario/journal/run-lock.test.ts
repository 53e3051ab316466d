import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AreaId } from '../../spec/index.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { testEnvironment } from '../../testing/test-environment.ts';
import { takeRunLock } from './run-lock.ts';

process.env.SEXTANT_STATE = ownFolder();
const environment = testEnvironment('http://127.0.0.1:9');

const pairs: [first: AreaId[] | undefined, second: AreaId[] | undefined, isApart: boolean][] = [
  [undefined, undefined, false],
  [['friends'], ['stories'], false],
  [['gameDesign'], undefined, false],
  [['friends'], ['gameDesign'], true],
  [['features'], ['gameDesign'], true],
  [[], ['friends'], true],
];

for (const [first, second, isApart] of pairs) {
  test(`${first ?? 'all'} and ${second ?? 'all'}: ${isApart ? 'at once' : 'one after the other'}`, async () => {
    const release = await takeRunLock(environment, { say: () => {}, areas: first });
    const stop = new AbortController();
    const said: string[] = [];
    const next = takeRunLock(environment, {
      signal: stop.signal,
      areas: second,
      say: (line) => {
        said.push(line);
        stop.abort();
      },
    });
    if (isApart) (await next)();
    else await assert.rejects(next, { name: 'AbortError' });
    release();
    assert.equal(said.length, isApart ? 0 : 1, said.join());
    for (const line of said)
      assert.match(line, /waiting for another run \(process \d+\), which acts as the same users/);
    // Giving up leaves nothing locked.
    (await takeRunLock(environment, { say: assert.fail }))();
  });
}
