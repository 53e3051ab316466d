import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type RunningCommand, startCommand, until } from '../testing/programs/run-command.ts';
import { fetchOnce } from '../testing/servers/listening.ts';
import { ownEnvironments, ownService } from '../testing/servers/own-service.ts';
import { environmentText } from '../testing/test-environment.ts';

/** The packages that a run without Playwright loads. */
const running = ['ajv', 'dotenv', 'leven', 'croner', '@faker-js/faker', 'pure-rand', 'commander', 'entities'];

const service = await ownService();
const { folder, env } = ownEnvironments({ remote: environmentText(service.addresses) });

/**
 * Returns the modules that a command has loaded when it ends. With `visit`, the command runs until the test stops it: the test first calls
 * `visit` with the command's address and a function that returns the modules loaded so far.
 */
async function loadedBy(
  args: string,
  visit?: (url: string, loaded: () => string[], command: RunningCommand) => Promise<unknown>,
  variables: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const file = join(folder, `loaded-${Math.random()}`);
  const preload = pathToFileURL(join(import.meta.dirname, '..', 'testing', 'programs', 'record-loaded.ts')).href;
  const command = startCommand(args.split(' '), {
    NODE_OPTIONS: `--import=${preload}`,
    SEXTANT_LOADED: file,
    ...env,
    ...variables,
  });
  const { child, said, ended } = command;
  const loaded = () => readFileSync(file, 'utf8').trim().split('\n');
  if (visit) {
    const url = () => /(?:Prober|Status page): +(http:\S+)/.exec(said())?.[1];
    await until(() => url() !== undefined, command);
    await visit(url() as string, loaded, command);
    child.kill('SIGTERM');
  }
  assert.equal(await ended, 0, said());
  return loaded();
}

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

const isUp = async (url: string) => /All \d+ scenarios up/.test(await (await fetchOnce(url)).text());

test('the help loads no command', async () => {
  const loaded = await loadedBy('--help');
  assertOnly(loaded, ['commander']);
  const own = loaded.filter((url) => /\/src\/cli\/commands\/|\/src\/(?!cli\/)\w+\/index\.ts/.test(url));
  assert.deepEqual(
    own.map((url) => url.split('/').slice(-2).join('/')),
    ['commands/index.ts'],
  );
});

test('the list of environments loads what reads their files, and of all other rooms single files at most', async () => {
  const loaded = await loadedBy('environments list');
  assertOnly(loaded, ['commander', 'dotenv', 'croner']);
  const parts = loaded.flatMap((url) => /\/src\/(\w+\/index\.ts|environment\/contract|questions)/.exec(url)?.[1] ?? []);
  assert.deepEqual(
    [...new Set(parts)].sort(),
    ['environment', 'facts', 'redaction', 'service'].map((room) => `${room}/index.ts`),
  );
});

test('a check of an environment loads no Playwright, no framework of a server, nothing for a monitor', async () => {
  const loaded = await loadedBy('check --env remote --json --yes');
  assertOnly(loaded, running);
  // Shows that the list of loaded modules isn't just empty: every check loads this spec.
  assert.ok(loaded.some((url) => url.endsWith('block-list-unblock.spec.ts')));
  // The validators of requests are compiled in advance, so Ajv is only loaded where an environment has shapes or a contract.
  const ofAjv = loaded.flatMap((url) => /\/node_modules\/ajv\/(.*)/.exec(url)?.[1] ?? []);
  assert.deepEqual(ofAjv, ['dist/runtime/ucs2length.js']);
});

test('a check loads OpenTelemetry where there is a collector', async () => {
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
  const loaded = await loadedBy('check --env remote --area features --json --yes', undefined, variables);
  assert.ok(packagesOf(loaded).includes('@opentelemetry/sdk-trace'));
});

test('a monitor loads what it needs when it needs it', async () => {
  const settings = join(folder, 'monitor.env');
  writeFileSync(settings, '');
  const args = `monitor --env remote --settings ${settings} --data ${join(folder, 'data')} --port 0 --yes`;
  const all = await loadedBy(args, async (url, loaded, command) => {
    // Waits until every scenario has run once.
    await until(() => isUp(url), command, 500);
    assertOnly(loaded(), [...running]);
    writeFileSync(settings, 'SMTP_URL=smtp://127.0.0.1:1\nEMAIL_FROM=a@b.test\nEMAIL_TO=c@d.test\n');
    await until(() => /Alert channels: email/.test(command.said()), command);
    assertOnly(loaded(), [...running, 'nodemailer']);
    // The changed settings have started a new monitor. It knows the states from before, but has not run anything yet, so wait for
    // its first run.
    const isProbed = async () => /^probe_success\{/m.test(await (await fetchOnce(new URL('/metrics', url))).text());
    await until(isProbed, command, 500);
  });
  assert.ok(packagesOf(all).includes('nodemailer'));
  assertOnly(all, [...running, 'nodemailer']);
});

test('a prober loads nothing for a monitor', async () => {
  const all = await loadedBy('prober --env remote --listen 127.0.0.1:0 --yes', async (url, loaded) => {
    assertOnly(loaded(), running);
    for (const path of ['probe?target=remote&module=features', 'metrics'])
      assert.equal((await fetchOnce(new URL(path, url))).status, 200);
  });
  assertOnly(all, running);
});
