import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ConfigurationError, type Environment, loadEnvironment } from '../environment/index.ts';
import { Secret } from '../redaction/index.ts';
import { World } from '../scenario/world/world.ts';
import { type AreaId, areaIds } from '../service/index.ts';
import { state } from '../testing/journal-state.ts';
import { silent } from '../verdict/index.ts';
import { assertConsent, type ConsentOptions, consentTo } from './consent.ts';
import { withLock } from './lock/exclusive-lock.ts';

const canary = 'canary-token-0123456789';
const at = (host: string) =>
  Object.fromEntries(areaIds.map((area) => [area, new URL(`https://${host}/${area}/`)])) as Record<AreaId, URL>;
const { provisionUrl: _, ...local } = loadEnvironment('local');
const remote: Environment = {
  ...local,
  name: 'remote',
  isLoopback: false,
  addresses: at('api.test'),
  allowedEffects: new Set(['read', 'reversible']),
  caller: { ...local.caller, accessToken: new Secret(canary) },
};

/** Asks for consent on test streams; returns the text that was printed. With an `answer`, the streams count as a terminal. */
async function ask(
  environment: Environment,
  { answer, ...rest }: { answer?: string } & ConsentOptions = {},
): Promise<string> {
  const input = new PassThrough() as unknown as NodeJS.ReadStream;
  const output = new PassThrough() as unknown as NodeJS.WriteStream;
  input.isTTY = output.isTTY = answer !== undefined;
  let said = '';
  output.on('data', (chunk: Buffer) => (said += chunk.toString()));
  if (answer !== undefined) (input as unknown as PassThrough).end(answer);
  await consentTo(environment, { input, output, processEnvironment: {}, ...rest });
  return said;
}

test('a loopback environment needs no consent', async () => assert.equal(await ask(local), ''));

test('without a terminal and without --yes a first run is refused, in one line that says what to do', async () => {
  const message = /^Nothing was sent: .*remote.* Use --yes \(or CI=true\)/;
  await assert.rejects(ask(remote), { name: 'ConfigurationError', message });
  assert.throws(() => assertConsent(remote), ConfigurationError);
});

const agreeing: [name: string, options: Parameters<typeof ask>[1]][] = [
  ['--yes', { yes: true }],
  ['CI=true', { processEnvironment: { CI: 'true' } }],
  ['y on a terminal', { answer: 'y\n' }],
  ['Yes on a terminal', { answer: 'Yes\n' }],
];
for (const [name, options] of agreeing) {
  test(`${name} agrees, after it was printed what is allowed; it is not asked again`, async () => {
    const said = await ask(remote, options);
    assert.match(said, /^A run against remote calls$/m);
    assert.match(said, /^ {2}Friends +https:\/\/api\.test\/friends\/$/m);
    assert.match(said, /change and undo \(reversible\): .*\bblock, unblock, love, unlove\b/);
    assert.match(said, /change the profile if it can be read first, and restore it/);
    assert.match(said, /undo what a person did with love, if the service accepts it twice, because no list shows it/);
    assert.match(said, /It sends no overwriting or irreversible requests\./);
    assert.doesNotMatch(said, /canary/);
    assert.equal(await ask(remote), '');
    assertConsent(remote);
  });
}

test('what a run may overwrite for good is said before it is agreed to', async () => {
  const { readProfile: _, ...blind } = remote;
  const said = await ask({ ...blind, allowedEffects: new Set(['read', 'overwriting']) }, { yes: true });
  assert.match(
    said,
    /^ {2}overwrite a profile for good: the profile of \S+ can’t be restored: FRIEND_PROFILE_REQUEST is not set$/m,
  );
  const restorable = await ask({ ...remote, allowedEffects: new Set(['overwriting']) }, { yes: true });
  assert.deepEqual(restorable.match(/^.*for good.*$/gm), [
    '  overwrite for good what a person saved with saveAvatar, because no request shows it',
  ]);
});

test('what each run uses up for good is said with figures before it is agreed to', async () => {
  const said = await ask(remote, { yes: true, usesUp: 'deletes at least 2 stored items' });
  assert.match(said, /^Each run deletes at least 2 stored items; --keep-items leaves/m);
});

for (const answer of ['n\n', '\n', 'yellow\n', '']) {
  test(`${JSON.stringify(answer)} on a terminal does not agree`, async () => {
    await assert.rejects(ask(remote, { answer }), ConfigurationError);
    assert.throws(() => assertConsent(remote), ConfigurationError);
  });
}

const direct = { proxyFor: () => undefined, pins: [], tls: {} };
const pin = { from: { host: 'example.test', port: '443' }, to: { host: 'canary.test', port: '443' } };
const changes: [name: string, change: Partial<Environment>, asksAgain: boolean][] = [
  ['another address', { addresses: { ...remote.addresses, storage: new URL('https://other.test/') } }, true],
  ['another effect', { allowedEffects: new Set(['read', 'reversible', 'irreversible']) }, true],
  ['another user', { caller: { ...remote.caller, userId: 'user-cleo' } }, true],
  ['another helper', { provisionUrl: new URL('https://helper.test/') }, true],
  ['another way there', { route: { ...direct, pins: [pin] } }, true],
  ['the effects in another order', { allowedEffects: new Set(['reversible', 'read']) }, false],
  ['another deadline', { requestTimeoutMs: 1 }, false],
];
for (const [name, change, asksAgain] of changes) {
  test(`after a yes, ${name} asks again: ${asksAgain}`, async () => {
    await ask(remote, { yes: true });
    const again = ask({ ...remote, ...change });
    await (asksAgain ? assert.rejects(again, ConfigurationError) : again);
  });
}

test('a yes to an address of the command line is kept next to the one to the environment’s', async () => {
  const addresses = { ...remote.addresses, friends: new URL('https://preview.test/') };
  const preview: Environment = { ...remote, set: ['friends'], addresses };
  await ask(remote, { yes: true });
  await assert.rejects(ask(preview), ConfigurationError);
  await ask(preview, { yes: true });
  assert.deepEqual([await ask(preview), await ask(remote)], ['', '']);
});

test('of two processes that note a consent at once, neither loses the other’s', async () => {
  const path = join(state, 'consents.json');
  let noting: Promise<unknown> = Promise.resolve();
  await withLock(join(state, 'locks', 'consents.sqlite'), async () => {
    noting = ask(remote, { yes: true });
    await wait(100);
    writeFileSync(path, '{"another":"agreed"}');
  });
  await noting;
  assertConsent(remote);
  assert.equal(JSON.parse(readFileSync(path, 'utf8')).another, 'agreed');
});

test('a torn memory of consents is not a consent', async () => {
  await ask(remote, { yes: true });
  writeFileSync(join(state, 'consents.json'), '{"remote":"');
  assert.throws(() => assertConsent(remote), ConfigurationError);
});

test('a state folder that can’t be written is reported in one line: journals need it too', async () => {
  writeFileSync(state, 'a file where the folder should be');
  const message = /is not a folder\. .*SEXTANT_STATE/;
  await assert.rejects(ask(remote, { yes: true }), { name: 'ConfigurationError', message });
});

test('no scenario runs in an environment without consent, whoever starts it', () => {
  const options = { environment: remote, observer: silent, seed: 0, runId: 'run' };
  assert.throws(() => new World(options), /needs your consent/);
});
