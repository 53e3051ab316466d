import assert from 'node:assert/strict';
import { test } from 'node:test';
import { largestAccepted } from './text-limit.ts';

for (const limit of [10, 11, 280, 4_999, 9_999]) {
  test(`a limit of ${limit} is found in few steps`, async () => {
    let asked = 0;
    const found = await largestAccepted(10, 10_000, async (length) => {
      asked++;
      return length <= limit;
    });
    assert.equal(found, limit);
    assert.ok(asked <= 16, `${asked} requests`);
  });
}

test('no limit up to the cap takes one request', async () => {
  let asked = 0;
  assert.equal(await largestAccepted(10, 10_000, async () => ++asked > 0), undefined);
  assert.equal(asked, 1);
});
