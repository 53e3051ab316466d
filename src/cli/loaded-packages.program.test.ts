import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startCommand, until } from '../testing/programs/run-command.ts';
import { fetchOnce } from '../testing/servers/listening.ts';
import { ownEnvironments, ownService } from '../testing/servers/own-service.ts';
import { environmentText } from '../testing/test-environment.ts';

const ajv = ['ajv', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse'];
/** The packages of an in-process run. */
const running = [...ajv, 'ajv-formats', 'dotenv', 'leven', 'croner', '@faker-js/faker', 'pure-rand', 'commander'];
const histograms = ['hdr-histogram-js', '@assemblyscript/loader', 'base64-js', 'pako'];
const metrics = ['prom-client', 'tdigest', 'bintrees', '@opentelemetry/api'];

const service = await ownService();
const { folder, env } = ownEnvironments({ remote: environmentText(service.addresses) });
writeFileSync(join(folder, 'none.env'), '');
writeFileSync(join(folder, 'mail.env'), 'SMTP_URL=smtp://127.0.0.1:1\nEMAIL_FROM=a@b.test\nEMAIL_TO=c@d.test\n');

/** Starts a command that records the modules it loads. */
function recorded(...args: string[]) {
  const file = join(folder, `loaded-${Math.random()}`);
  writeFileSync(file, '');
  const preload = pathToFileURL(join(import.meta.dirname, '..', 'testing', 'programs', 'record-loaded.ts')).href;
  const command = startCommand(args, {
    NODE_OPTIONS: `--import=${preload}`,
    SEXTANT_LOADED: file,
    ...env,
  });
  return { ...command, loaded: () => readFileSync(file, 'utf8').trim().split('\n') };
}

/** The package names of modules. */
function packagesOf(modules: readonly string[]): string[] {
  const names = modules.map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

function assertOnly(modules: readonly string[], allowed: readonly string[]): void {
  assert.deepEqual(
    packagesOf(modules).filter((name) => !allowed.includes(name)),
    [],
  );
}

/** Monitors until every scenario ran once; `settings` is the name of a file in the folder. */
async function watched(settings: string, andThen: (page: string) => Promise<void> = async () => {}): Promise<string[]> {
  const data = join(folder, `data-${settings}`);
  const flags = ['--settings', join(folder, settings), '--data', data, '--port', '0', '--yes'];
  const monitor = recorded('monitor', '--env', 'remote', ...flags);
  const { child, said, ended, loaded } = monitor;
  const page = () => /(http:\/\/127\.0\.0\.1:\d+\/)/.exec(said())?.[1];
  await until(() => page() !== undefined, monitor);
  await until(async () => /All \d+ scenarios up/.test(await (await fetchOnce(page() as string)).text()), monitor, 500);
  await andThen(page() as string);
  child.kill('SIGINT');
  assert.equal(await ended, 0, said());
  return loaded();
}

test('the help loads no command', async () => {
  const { ended, said, loaded } = recorded('--help');
  assert.equal(await ended, 0, said());
  assert.match(said(), /Usage: sextant/);
  assertOnly(loaded(), ['commander']);
  const own = loaded().filter((url) => /\/src\/cli\/commands\/|\/src\/(?!cli\/)\w+\/index\.ts/.test(url));
  assert.deepEqual(
    own.map((url) => url.split('/').slice(-2).join('/')),
    ['commands/index.ts'],
  );
});

test('the list of environments loads neither a scenario nor the service', async () => {
  const { ended, said, loaded } = recorded('environments', 'list');
  assert.equal(await ended, 0, said());
  assertOnly(loaded(), running);
});

test('a check of an environment loads no Playwright, no framework of a server, nothing for a monitor', async () => {
  const { ended, said, loaded } = recorded('check', '--env', 'remote', '--json', '--yes');
  assert.equal(await ended, 0, said());
  assert.match(said(), /"verdict": "passed"/);
  assertOnly(loaded(), running);
  // The search works: it finds the specs, which are loaded this way.
  assert.ok(loaded().some((url) => url.endsWith('block-again.spec.ts')));
});

test('a monitor loads what it needs when it needs it', async () => {
  const plain = await watched('none.env');
  assertOnly(plain, [...running, ...histograms]);
  const scraped = await watched('mail.env', async (page) => {
    const text = await (await fetchOnce(new URL('/metrics', page))).text();
    assert.match(text, /^probe_success\{/m);
  });
  assertOnly(scraped, [...running, ...histograms, ...metrics, 'nodemailer']);
  assert.deepEqual(
    ['prom-client', 'nodemailer'].filter((name) => packagesOf(scraped).includes(name)),
    ['prom-client', 'nodemailer'],
  );
});

test('a prober loads nothing for a monitor', async () => {
  const prober = recorded('prober', '--env', 'remote', '--listen', '127.0.0.1:0', '--yes');
  const { child, said, ended, loaded } = prober;
  const url = () => /Prober: (http:\S+)/.exec(said())?.[1];
  await until(() => url() !== undefined, prober);
  assertOnly(loaded(), running);
  for (const path of ['probe?target=remote&module=features', 'metrics'])
    assert.equal((await fetchOnce(new URL(path, url()))).status, 200);
  child.kill('SIGTERM');
  assert.equal(await ended, 0, said());
  assertOnly(loaded(), [...running, ...metrics]);
});
