import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createServer } from 'node:tls';
import { projectRoot } from '../../config/project-root.ts';
import { startCommand, until } from '../../testing/programs/run-command.ts';
import { ownFolder, ownService } from '../../testing/servers/own-service.ts';
import { startRawServer } from '../../testing/servers/raw-server.ts';
import { certificateFor } from '../../testing/servers/tls-misbehaviours.ts';
import { environmentText } from '../../testing/test-environment.ts';
import type { CheckDocument } from '../check/json-document.ts';

const service = await ownService();
const folder = ownFolder();
const { key, cert } = certificateFor('127.0.0.1', 5);
/** TLS in front of the features area, for the service itself speaks none. */
const secured = createServer({ key, cert }, (socket) => {
  const behind = connect(Number(new URL(service.addresses.features).port), '127.0.0.1');
  for (const [from, to] of [
    [socket, behind],
    [behind, socket],
  ] as const)
    from.on('error', () => to.destroy()).pipe(to);
});

const silent = await startRawServer({});
secured.listen(0, '127.0.0.1');
await once(secured, 'listening');
const gone = await startRawServer({});
await gone.stop();
after(async () => {
  secured.close();
  await silent.stop();
});
mkdirSync(join(folder, 'environments'));
const provisioner = { PROVISION_URL: service.provisionUrl };
const features = `https://127.0.0.1:${(secured.address() as AddressInfo).port}`;
const texts = {
  good: environmentText({ ...service.addresses, features }, provisioner),
  down: environmentText(`http://127.0.0.1:${gone.port}`, { ALLOWED_EFFECTS: 'read' }),
  silent: environmentText(`http://127.0.0.1:${silent.port}`, { REQUEST_TIMEOUT_MS: '600000' }),
  unjudged: environmentText(service.addresses, { PROVISION_URL: `http://127.0.0.1:${gone.port}` }),
};
for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, 'environments', `${name}.env`), text);
writeFileSync(join(folder, 'ca.pem'), cert);
const env = {
  SEXTANT_ENVIRONMENTS: join(folder, 'environments'),
  SEXTANT_OUTPUT: join(folder, 'output'),
  NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
};

test('--json prints one document; a certificate that ends soon is warned of, and a private CA is trusted', async () => {
  const { said, ended } = startCommand(['check', '--env', 'good', '--json', '--scenario', 'evaluate*default'], env);
  assert.equal(await ended, 0, said());
  const document = JSON.parse(said()) as CheckDocument;
  assert.deepEqual([document.environment, document.verdict, document.hosts], ['good', 'passed', []]);
  const [scenario, ...others] = document.scenarios;
  assert.equal(others.length, 0);
  assert.deepEqual(
    [scenario?.title, scenario?.area, scenario?.verdict],
    ['evaluate a flag with default', 'features', 'passed'],
  );
  assert.match(scenario?.warnings[0] ?? '', /expires in 4 days/);
  assert.equal(document.certificates[0]?.daysLeft, 4);
  const phases = scenario?.exchanges[0]?.phases ?? {};
  assert.deepEqual(Object.keys(phases), ['connect', 'tls', 'processing', 'transfer']);
});

test('two environments at once: a host that is down is reported once, and the exit code is the graver', async () => {
  const { said, ended } = startCommand(['check', '--env', 'good', '--env', 'down', '--scenario', '*read-only*'], env);
  assert.equal(await ended, 1, said());
  assert.match(said(), /^VERDICT +GRADE +TIME +ENVIRONMENT +SCENARIO\n/);
  assert.match(said(), /^passed +[\d,]+ ms +good +read-only round\n/m);
  assert.match(
    said(),
    /^unreachable +assumed +[\d,]+ ms +down +read-only round\n {2}no connection \(connect\), see below\n/m,
  );
  assert.equal(said().match(/connection refused/g)?.length, 1);
  assert.equal(said().match(/^ {2}curl /gm)?.length, 1);
  assert.match(said(), /^good: passed \(1 passed\), .*^down: unreachable \(1 unreachable\), /ms);
  // Without a terminal, neither colours nor a line that changes in place.
  assert.ok(!said().includes('\u001b'));
});

test('a pipeline gets a page with each failure, and an annotation at the line of its spec', async () => {
  const [page, job] = [join(folder, 'page.md'), join(folder, 'job.md')];
  writeFileSync(job, 'before\n');
  const { said, ended } = startCommand(
    ['check', '--env', 'down', '--scenario', 'evaluate*default', '--json', '--summary', page],
    {
      ...env,
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: job,
    },
  );
  assert.equal(await ended, 1, said());
  const text = readFileSync(page, 'utf8');
  assert.match(text, /^### ❌ Check of down\n\nEnvironment `down` .*\n\| ❌ Feature toggles \| 0 \| 1 \|/ms);
  assert.match(text, /^#### ❌ Feature toggles: no connection to \S+ \(connect\): connection refused \(1 test\)$/m);
  assert.match(text, /<b>evaluate a flag with default<\/b> · down.*\n```text\nunreachable: .*\ncurl -sS /s);
  assert.equal(readFileSync(job, 'utf8'), `before\n${text}`);
  const [, file = '', line] =
    /^::error file=(.*),line=(\d+),title=down%3A Feature toggles%3A no connection .*::evaluate a flag with default%0Aunreachable: /m.exec(
      said(),
    ) ?? [];
  const spec = readFileSync(join(projectRoot, file), 'utf8').split('\n');
  assert.match(spec[Number(line) - 1] ?? '', /evaluate a flag with default/);
});

test('what the suite could not judge ends in 3', async () => {
  const { said, ended } = startCommand(['check', '--env', 'unjudged', '--scenario', 'love*'], env);
  assert.equal(await ended, 3, said());
  assert.match(said(), /^unknown .*love, then unlove\n {2}the suite could not judge: POST .*as a provisioner must/m);
});

test('Ctrl-C ends a check that waits, at once and with what it knows', async () => {
  const running = startCommand(['check', '--env', 'silent', '--scenario', 'love*'], env);
  const { child, said, ended } = running;
  await until(() => silent.requests.length > 0, running);
  child.kill('SIGINT');
  assert.equal(await ended, 3, said());
  assert.match(said(), /^unknown .*love, then unlove\n {2}the run was stopped\n/m);
});
