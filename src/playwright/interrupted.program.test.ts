import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadEnvironment } from '../environment/index.ts';
import { readJournals } from '../safety/index.ts';
import { ownEnvironments } from '../testing/own-folder.ts';
import { runInProcess } from '../testing/programs/run-in-process.ts';
import { CTRL_C, Terminal } from '../testing/programs/terminal.ts';
import { asCaller } from '../testing/servers/call-service.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { unansweredLove } from '../testing/servers/unanswered-love.ts';
import { startProxy } from '../testing/servers/wire-proxy.ts';
import { environmentText } from '../testing/test-environment.ts';

test('Ctrl-C in the middle of a test takes its change back, and calls neither it nor the rest passed or failed', async (t) => {
  const service = await ownService();
  const { promise: hasAsked, resolve: ask } = Promise.withResolvers<void>();
  // The proxy never responds to a read.
  const proxy = await startProxy(service, async (asked, forward) => {
    if (asked.method !== 'GET') return forward(asked);
    ask();
    return 'silence';
  });
  t.after(() => proxy.stop());
  const keys = { FRIEND_USER_ID: 'user-ben', ALLOWED_EFFECTS: 'read,reversible', REQUEST_TIMEOUT_MS: 60_000 };
  const text = environmentText({ ...service.addresses, friends: proxy.addresses.friends }, keys);
  const own = ownEnvironments({ own: text });
  const env = { ...own.env, CI: '' };
  const output = own.env.SEXTANT_OUTPUT;

  const args = ['test', '--env', 'own', '--grep', 'block, then list, then unblock|love, then unlove'];
  const terminal = new Terminal(args, env);
  t.after(() => terminal.kill());
  await terminal.hears(/Running 2 tests using \d+ workers?/);
  await hasAsked;
  // On a terminal, a run shows how many tests have ended, and in which areas tests are running.
  await terminal.answers(/0\/2 · [\d.]+ s · \w+: /, CTRL_C);

  assert.equal(await terminal.ended, 130, terminal.said);
  assert.match(terminal.said, / {2}2 skipped \([\d.]+ s\)$/m);
  assert.match(terminal.said, /^ {2}The run was interrupted\.$/m);
  assert.match(terminal.said, /^ {2}skipped 1 × the run was interrupted during this test$/m);
  assert.match(terminal.said, /^ {2}skipped 1 × the run ended before this test started$/m);
  assert.doesNotMatch(terminal.said, /own › /, 'a test is shown as failed');
  const read = (name: string) => JSON.parse(readFileSync(join(output, name), 'utf8'));
  const { passed, failed, unknown, skipped } = read('summary.json');
  assert.deepEqual({ passed, failed, unknown, skipped }, { passed: 0, failed: 0, unknown: 0, skipped: 2 });
  assert.match(readFileSync(join(output, 'summary.md'), 'utf8'), /^The run was interrupted\.$/m);
  const results = readdirSync(join(output, 'allure-results')).filter((name) => name.endsWith('-result.json'));
  const statuses = results.map((name) => read(join('allure-results', name)).status);
  assert.deepEqual(statuses, ['skipped', 'skipped']);

  const list = await fetch(`${service.addresses.friends}/v1/friends/block/0/100`, { headers: asCaller });
  assert.equal(await list.text(), '[]');
  Object.assign(process.env, own.env);
  assert.deepEqual(await runInProcess(['undo', '--env', 'own']), { code: 0, out: 'own: nothing to undo.\n', err: '' });
});

/**
 * Interrupts a run while a change waits for its response. The service has made the change, but responds neither to it nor to requests that
 * `isSilent` names.
 */
async function interruptedIn(t: TestContext, isSilent: (path: string) => boolean) {
  const { addresses, isMade, asked: changes } = await unansweredLove(t, await ownService(), isSilent);
  const keys = { ALLOWED_EFFECTS: 'read,reversible', REQUEST_TIMEOUT_MS: 600_000 };
  const own = ownEnvironments({ own: environmentText(addresses, keys) });
  const terminal = new Terminal(['test', '--env', 'own', '--grep', 'love, then unlove'], { ...own.env, CI: '' });
  t.after(() => terminal.kill());
  await isMade;
  await terminal.answers(/0\/1 · [\d.]+ s · \w+: /, CTRL_C);
  assert.equal(await terminal.ended, 130, terminal.said);
  Object.assign(process.env, own.env);
  const left = readJournals(loadEnvironment('own')).flatMap(({ pending }) => pending.map(({ change }) => change));
  return { said: terminal.said, changes, left };
}

test('Ctrl-C while a change is on its way takes it back, and does not wait for its answer', async (t) => {
  const { said, changes, left } = await interruptedIn(t, () => false);
  assert.match(said, /^ {2}The run was interrupted\.$/m);
  assert.deepEqual(changes, ['love', 'unlove']);
  // The change stays in the journal, because it could still arrive after its undo. So the next run undoes it again.
  assert.deepEqual(left, ['love']);
});

test('a run that can’t end its clean-up is ended, and names what it leaves', async (t) => {
  const { said } = await interruptedIn(t, (path) => path.endsWith('/unlove'));
  assert.match(said, /own: stopped before it had undone 1 change\. .*`npx sextant undo --env own`\.\s+LEFT {4}love /);
});
