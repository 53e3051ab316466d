import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { loadEnvironment } from '../../environment/index.ts';
import { projectRoot } from '../../environment/project-root.ts';
import { readJournals, takeUsers } from '../../safety/index.ts';
import { journalFolder } from '../../safety/journal-file.ts';
import { assertFits } from '../../testing/document-schemas.ts';
import { type RunningCommand, ran, startCommand, until } from '../../testing/programs/run-command.ts';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { certificateFor } from '../../testing/servers/certificate.ts';
import { ownEnvironments, ownService } from '../../testing/servers/own-service.ts';
import { rawResponse, respondingWith, startRawServer } from '../../testing/servers/raw-server.ts';
import { unansweredLove } from '../../testing/servers/unanswered-love.ts';
import { startProxy } from '../../testing/servers/wire-proxy.ts';
import { environmentText, seededData } from '../../testing/test-environment.ts';
import type { CheckDocument } from '../check/check-document.ts';

const service = await ownService();
const certificate = certificateFor('127.0.0.1', 5);
/** TLS in front of the features area, because the service itself doesn't use TLS. */
const toFeatures = (socket: Socket) => {
  const behind = connect(Number(new URL(service.addresses.features).port), '127.0.0.1');
  behind.on('error', () => socket.destroy());
  socket.pipe(behind).pipe(socket);
};
const secured = await startRawServer({ onSocket: toFeatures }, certificate);
const silent = await startRawServer({});
const COMMANDS = '::add-mask::a\n::stop-commands::b\n##[error]c ##vso[task.setvariable variable=d]e';
const commanding = await startRawServer(respondingWith(() => rawResponse('400 ##[error]f', COMMANDS)));
after(() => Promise.all([secured.stop(), silent.stop(), commanding.stop()]));
const features = `https://127.0.0.1:${secured.port}`;
const own = ownEnvironments({
  secured: environmentText({ ...service.addresses, features }, { PROVISION_URL: service.provisionUrl }),
  down: environmentText('http://127.0.0.1:1', { ALLOWED_EFFECTS: 'read' }),
  silent: environmentText(`http://127.0.0.1:${silent.port}`, { REQUEST_TIMEOUT_MS: '600000' }),
  commanding: environmentText(`http://127.0.0.1:${commanding.port}`, { ALLOWED_EFFECTS: 'read' }),
  good: environmentText(service.addresses, { ...seededData, ALLOWED_EFFECTS: 'read,reversible' }),
});
const env = { ...own.env, NODE_EXTRA_CA_CERTS: join(own.folder, 'ca.pem') };
writeFileSync(env.NODE_EXTRA_CA_CERTS, certificate.cert);
Object.assign(process.env, own.env);

/** The document that a command printed. Asserts that it matches the published schema. */
function documentIn(said: string): CheckDocument {
  const document = JSON.parse(said) as CheckDocument;
  assertFits('check', document);
  return document;
}

test('--json prints one document; a certificate that ends soon is warned of, and a private CA is trusted', async () => {
  const said = await ran(['check', '--env', 'secured', '--json', '--scenario', 'evaluate*default'], env);
  const document = documentIn(said);
  assert.deepEqual([document.environment, document.verdict, document.hosts], ['secured', 'passed', []]);
  const [scenario, ...others] = document.scenarios;
  assert.equal(others.length, 0);
  const { title, area, verdict } = scenario ?? {};
  assert.deepEqual([title, area, verdict], ['evaluate a flag with default', 'features', 'passed']);
  assert.match(scenario?.warnings[0] ?? '', /expires in 4 days/);
  assert.equal(document.certificates[0]?.daysLeft, 4);
  const phases = scenario?.exchanges[0]?.phases ?? {};
  assert.deepEqual(Object.keys(phases), ['connect', 'tls', 'processing', 'transfer']);
  // The example in docs/reference/keys.md must have the same fields as a printed document.
  const [, shown = ''] =
    /```json\n(.*?)```/s.exec(readFileSync(join(projectRoot, 'docs', 'reference', 'keys.md'), 'utf8')) ?? [];
  const documented = documentIn(shown);
  const fields = (of: CheckDocument) =>
    [of, of.asked, of.certificates[0], of.scenarios[0], of.scenarios[0]?.exchanges[0]].map((part) =>
      Object.keys(part ?? {}).sort(),
    );
  assert.deepEqual(fields(documented), fields(document));
});

test('a command that is paused past its deadlines, with calls on their way, blames nobody', {
  skip: process.platform === 'win32' && 'needs signals that pause a process',
}, async (t) => {
  const [timeoutMs, pauseMs] = [1_000, 1_500];
  let checking: RunningCommand | undefined;
  let pauses = 0;
  const proxy = await startProxy(service, async (asked, forward) => {
    const pid = checking?.child.pid as number;
    if (pauses++ < 3) {
      process.kill(pid, 'SIGSTOP');
      setTimeout(() => process.kill(pid, 'SIGCONT'), pauseMs);
    }
    return forward(asked);
  });
  t.after(() => proxy.stop());
  const more = { PROVISION_URL: service.provisionUrl, REQUEST_TIMEOUT_MS: `${timeoutMs}` };
  const paused = ownEnvironments({ paused: environmentText(proxy.addresses, more) });
  checking = startCommand(['check', '--env', 'paused', '--scenario', 'love, then unlove'], paused.env);
  assert.equal(await checking.ended, 0, checking.said());
  assert.ok(pauses > 2);
});

test('two environments at once: a host that is down is reported once, and the exit code is the graver', async () => {
  const { code, out: said } = await runInProcess([
    'check',
    '--env',
    'good',
    '--env',
    'down',
    '--scenario',
    '*read-only*',
  ]);
  assert.equal(code, 1, said);
  assert.match(said, /^VERDICT +GRADE +TIME +SCENARIO IN good\nAll areas\npassed +[\d,]+ ms +read-only round\n/);
  assert.match(
    said,
    /SCENARIO IN down\nAll areas\nunreachable +assumed +[\d,]+ ms +read-only round\n {2}no connection: connection refused, see below\n/,
  );
  assert.equal(said.match(/can't be reached/g)?.length, 1);
  assert.equal(said.match(/^ {2}curl /gm)?.length, 1);
  assert.match(said, /^good: passed \(1 passed\), .*^down: unreachable \(1 unreachable\), /ms);
  // Without a terminal, a check prints neither colours nor a line that changes in place.
  assert.ok(!said.includes('\u001b'));
});

test('Ctrl-C ends a check that waits, at once and with what it knows', async () => {
  const checking = runInProcess(['check', '--env', 'silent', '--scenario', 'love*']);
  while (silent.requests.length === 0) await wait(20);
  process.emit('SIGINT');
  const { code, out } = await checking;
  assert.equal(code, 3, out);
  assert.match(out, /^VERDICT .*\n\nthe run was stopped \(1 scenario\)\n/);
});

test('Ctrl-C while a change is on its way says that its undo is left to the next run', async (t) => {
  const { addresses, isMade } = await unansweredLove(t, service);
  own.write('left', environmentText(addresses, { ALLOWED_EFFECTS: 'read,reversible', REQUEST_TIMEOUT_MS: '600000' }));
  const args = ['--env', 'left', '--scenario', 'love, then unlove'];
  const checking = runInProcess(['check', ...args]);
  await isMade;
  process.emit('SIGINT');
  const { code, out, err } = await checking;
  assert.equal(code, 3, out + err);
  assert.match(
    err,
    /^left: stopped before it had undone 1 change\. .*`npx sextant undo --env left`\.\n {2}LEFT {4}love /m,
  );
});

test('Ctrl-C ends a check that waits for another run, at once and without a stack', async () => {
  const release = await takeUsers(loadEnvironment('silent'), { say: assert.fail });
  try {
    const before = process.listenerCount('SIGINT');
    const checking = runInProcess(['check', '--env', 'silent', '--scenario', 'love*']);
    while (process.listenerCount('SIGINT') === before) await wait(20);
    const asked = silent.requests.length;
    process.emit('SIGINT');
    const { code, out, err } = await checking;
    assert.equal(code, 3, out + err);
    assert.match(out, /^VERDICT .*\n\nthe run was stopped \(1 scenario\)\n/);
    assert.doesNotMatch(err, /bug|^\s+at /m);
    assert.equal(silent.requests.length, asked);
  } finally {
    release();
  }
});

test('what keeps one environment from being checked ends the others with their clean-up', async () => {
  own.write('broken', environmentText('http://127.0.0.1:1', { ALLOWED_EFFECTS: 'read,reversible' }));
  const damaged = join(journalFolder({ name: 'broken' }), 'damaged.jsonl');
  mkdirSync(dirname(damaged), { recursive: true });
  writeFileSync(damaged, 'not a journal\n'.repeat(2));
  const pending = () => readJournals(loadEnvironment('good')).flatMap((journal) => journal.pending);
  const release = await takeUsers(loadEnvironment('broken'), { say: assert.fail });
  // As soon as the check of `good` has a block to undo, `listBlocked` responds slowly. Meanwhile, the check of `broken` gets the lock and
  // fails. The check of `good` must nevertheless undo its block.
  let stands = false;
  const arrive = () => () => {
    stands ||= pending().length > 0;
    return wait(stands ? 1_000 : 0, undefined);
  };
  service.faults.set({ name: 'slow', operation: 'listBlocked', arrive });
  try {
    const running = startCommand(['check', '--env', 'broken', '--env', 'good', '--scenario', 'block*'], env);
    await until(() => stands, running);
    release();
    assert.equal(await running.ended, 2, running.said());
    assert.match(running.said(), /damaged\.jsonl/);
    assert.deepEqual(pending(), [], running.said());
  } finally {
    release();
    service.faults.set();
    rmSync(damaged, { force: true });
  }
});

const titled = ({ scenarios }: CheckDocument, isWanted: (each: CheckDocument['scenarios'][number]) => boolean) =>
  scenarios.filter(isWanted).map(({ title }) => title);
const isUnreached = ({ reason }: { readonly reason: string | null }) => reason === 'no time left';

test('a check ends by its deadline, and what was cut short is undone', async () => {
  const quickStart = performance.now();
  await runInProcess(['check', '--env', 'good']);
  // At least six times the duration of a check of the quick service: enough time to start a check on any machine.
  const deadlineMs = Math.round(Math.max(6_000, 6 * (performance.now() - quickStart)));
  // With these slow responses, a whole check would take several times the deadline. One scenario can end in the time that is left after the
  // start of the program.
  service.faults.set({ name: 'slow', operation: 'all', arrive: () => async () => wait(deadlineMs / 40) });
  const check = async () => {
    const said = await ran(['check', '--env', 'good', '--json', '--deadline', `${deadlineMs}ms`], env);
    return documentIn(said.slice(said.indexOf('{\n')));
  };
  const start = performance.now();
  const first = await check();
  // Without the deadline, the check would take several times as long.
  assert.ok(performance.now() - start < 3 * deadlineMs, `it took ${performance.now() - start} ms`);
  assert.ok(first.durationMs < deadlineMs, `${first.durationMs} ms`);
  assert.equal(first.verdict, 'passed');
  const waiting = titled(first, (each) => isUnreached(each) && each.exchanges.length === 0);
  assert.ok(waiting.length > 1, 'it reached everything, so nothing is tested');
  assert.ok(first.scenarios.filter(isUnreached).every(({ verdict }) => verdict === 'skipped'));

  service.faults.set();
  const { code, out, err } = await runInProcess(['check', '--env', 'good']);
  assert.equal(code, 0, out + err);
  assert.match(out, /^good: passed /m);
  assert.doesNotMatch(out + err, /no time left|LEFT/);
});

test('a pipeline gets a page with each failure, and an annotation at the line of its spec', async () => {
  const [page, job] = [join(own.folder, 'page.md'), join(own.folder, 'job.md')];
  writeFileSync(job, 'before\n');
  const args = ['check', '--env', 'down', '--scenario', 'evaluate*default', '--json', '--summary', page];
  Object.assign(process.env, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: job });
  const { code, out, err } = await runInProcess(args);
  assert.equal(code, 1, out);
  const text = readFileSync(page, 'utf8');
  assert.match(text, /^### ❌ Check of down\n\nEnvironment `down` .*\n\| ❌ Feature toggles \| 1 \| 0 \|/ms);
  assert.match(text, /^\| Area \| Failed \| Unknown \| Passed \| Skipped \| Unproven \|$/m);
  assert.match(text, /^#### ❌ 127\.0\.0\.1 can't be reached: connection refused \(Feature toggles\) \(1 scenario\)$/m);
  assert.match(text, /<b>evaluate a flag with default<\/b> · down.*\n```text\nunreachable: .*\ncurl -sS /s);
  assert.equal(readFileSync(job, 'utf8'), `before\n${text}`);
  const says = 'title=down%3A 127.0.0.1 can.t be reached%3A .*::evaluate a flag with default%0Aunreachable: ';
  const [, file = '', line] = new RegExp(`^::error file=(.*),line=(\\d+),${says}`, 'm').exec(err) ?? [];
  const spec = readFileSync(join(projectRoot, file), 'utf8').split('\n');
  assert.match(spec[Number(line) - 1] ?? '', /evaluate a flag with default/);
});

test('a page keeps each exchange of what failed, until the next check; --last-failed plays only that', async () => {
  const { err } = await runInProcess(['check', '--env', 'commanding', '--scenario', 'evaluate*']);
  const [, address = ''] = /^Each exchange of what failed: (file:\S+)$/m.exec(err) ?? [];
  const page = readFileSync(new URL(address), 'utf8');
  assert.match(page, /<h2>Feature toggles: evaluate a flag with default<\/h2>\n<p><b class="red">failed<\/b>/);
  assert.match(page, /<details open><summary>evaluate: POST \/v1\/apikey\/feature → 400 .*mm-api-key: \*\*\*\n/s);
  const again = await runInProcess(['check', '--env', 'commanding', '--last-failed', '--json']);
  const { scenarios: played } = documentIn(again.out);
  assert.deepEqual([...new Set(played.map(({ verdict }) => verdict))], ['failed']);
  await runInProcess(['check', '--env', 'good', '--scenario', '*read-only*']);
  assert.throws(() => readFileSync(new URL(address)));
  const none = await runInProcess(['check', '--env', 'commanding', '--last-failed']);
  assert.deepEqual([none.code, none.out], [2, '']);
  assert.match(none.err, /none of these scenarios failed in the last check of commanding \(\S+failed\.json\)/);
});

test('a response that holds commands of a pipeline is shown, and commands nothing', async () => {
  const page = join(own.folder, 'commands.md');
  const args = ['check', '--env', 'commanding', '--scenario', 'evaluate*default'];
  const of = { ...env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: page };
  writeFileSync(page, '');
  const said = await ran([...args, '--summary', page], of, 1);
  const json = await ran([...args, '--json'], env, 1);
  // Progress lines may follow the document, so cut them off.
  const document = documentIn(json.slice(0, json.lastIndexOf('\n}') + 2));
  assert.doesNotMatch(json, /##\w*\[/);
  for (const text of [said, readFileSync(page, 'utf8')]) {
    assert.match(text, / 400 # #\[error\]f/);
    assert.doesNotMatch(text.replace(/^::error file=/gm, ''), /^\s*::.*::|##\w*\[/m);
  }
  assert.match(JSON.stringify(document), / 400 ##\[error\]f/);
});
