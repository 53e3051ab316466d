import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOfThisHost, isRunning, type Owner, thisProcess } from './owner.ts';

const me = thisProcess();
const rows: [name: string, owner: Owner, isRunning: boolean][] = [
  ['this process', me, true],
  ['a later process with the same pid', { ...me, began: 'another' }, false],
  ['an unused pid', { ...me, pid: 2 ** 30 }, false],
];
for (const [name, owner, isLive] of rows)
  test(`${name} ${isLive ? 'runs' : 'does not run'}`, () => assert.equal(isRunning(owner), isLive));

test('a machine of the same name is another one', { skip: process.platform !== 'linux' && 'Linux tells' }, () => {
  const [name, start, container] = me.host.split(' ');
  assert.ok(isOfThisHost(me));
  assert.ok(!isOfThisHost({ ...me, host: [name, `${start?.slice(1)}0`, container].join(' ') }));
});
