import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownFolder } from '../../testing/own-folder.ts';
import { Terminal } from '../../testing/programs/terminal.ts';

test('on a terminal a run shows how far it is, where, and how long still', async (t) => {
  const terminal = new Terminal(
    ['test', '--env', 'local', '--area', 'storage'],
    { SEXTANT_OUTPUT: ownFolder(), CI: '' },
    100_000,
  );
  t.after(() => terminal.kill());
  await terminal.hears(/Running \d+ tests using \d+ workers?/);
  await terminal.hears(/\d+\/\d+ · [\d.]+ s, about [\d.]+ s left · Storage: /);
  await terminal.hears(/\d+ passed \([\d.]+ s\)/);
  assert.equal(await terminal.ended, 0, terminal.said);
});
