import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLive, type Owner, thisProcess } from './owner.ts';

const now = Date.now();
const me = thisProcess();
const liveness: [name: string, owner: Owner, signAt: number, live: boolean][] = [
  ['this process', me, now - 3_600_000, true],
  ['a later process with the same pid', { ...me, began: 'another boot/1' }, now, false],
  ['an unused pid', { ...me, pid: 2 ** 30 }, now, false],
  ['another machine that gave a sign', { ...me, host: 'elsewhere' }, now - 30_000, true],
  ['another machine that has been silent', { ...me, host: 'elsewhere' }, now - 90_000, false],
];
for (const [name, owner, signAt, live] of liveness) {
  test(`${name} is ${live ? 'alive' : 'dead'}`, () => assert.equal(isLive(owner, signAt, now), live));
}
