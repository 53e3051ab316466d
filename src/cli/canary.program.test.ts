import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type Service, seeded } from '../../reference-service/index.ts';
import { loadEnvironment } from '../environment/index.ts';
import { allKeys } from '../monitor/settings/load.ts';
import { Journal } from '../safety/index.ts';
import { DECOY, type EchoingService, secretForms, startEchoingService } from '../testing/echoing-service.ts';
import { findLeaks, findSecretsInFolder } from '../testing/find-leaks.ts';
import { receiver } from '../testing/monitor/receiver.ts';
import { ownFolder, writeFiles } from '../testing/own-folder.ts';
import { runInProcess } from '../testing/programs/run-in-process.ts';
import { startForwardProxy } from '../testing/servers/forward-proxy.ts';
import { fetchOnce } from '../testing/servers/listening.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { environmentText, seededData } from '../testing/test-environment.ts';

/** Credentials with characters that each encoding writes in its own way. One has only digits, more than a JSON number can represent exactly. */
const canaries = {
  ACCESS_TOKEN: 'canary+user/5f0c9d?a=~71&"ab<e\\n',
  API_KEY: 'canary+key/0b7712?c=~9d&"e3<f %41',
  FRIEND_ACCESS_TOKEN: '48151623421084815162342',
  /** Prefix of each credential in the monitor's settings; the name of the credential's key follows. */
  MONITOR: 'canary-of-the-monitor-41d2',
};

const NAME = 'canary';

const knownCredentials = new Map([
  [canaries.ACCESS_TOKEN, seeded.caller.accessToken],
  [canaries.API_KEY, seeded.client.apiKey],
  [canaries.FRIEND_ACCESS_TOKEN, seeded.friend.accessToken],
]);

const ran = await runEveryCommand(await ownService());

test('no command leaves a secret anywhere, whatever a service repeats', (t) => {
  t.diagnostic(`${ran.outputs.size} outputs and ${ran.files.length} files searched`);
  assert.deepEqual(ran.leaks, []);
});

// This test only checks that the service sent each credential in every encoding (`secretForms`). src/http/body.test.ts tests that each
// encoding is masked everywhere in a response.
test('the service repeated its credentials in every form', () => {
  assert.deepEqual(
    secretForms.map(({ name }) => name).filter((name) => !ran.service.said.has(name)),
    [],
  );
});

/** Every kind of artifact that shows text from the service: a regular expression for the beginning of its name. */
const kinds = [
  'check --env canary --junit',
  'check --env canary --json',
  'check.xml',
  'check.md',
  'output/check/index.html',
  'job.md',
  'monitor',
  'data/history.sqlite',
  'history export .* --what failures',
  'history export .* --what flips',
  'page /$',
  'page /feed.atom$',
  'page /scenario/',
  'prober /probe',
  'notice',
  'undo',
  'environments/canary.facts.json',
  'output/survey/canary.md',
  'observed/canary/\\w+.json',
  'openapi',
];

test('what receivers of notices say is shown, but for the credentials that they repeat', () => {
  const said = [...ran.outputs].filter(([name]) => /^(monitor|alerts test|page \/healthz)/.test(name));
  for (const [name, text] of said) assert.match(text, /returned status 404: .*\*\*\*/, name);
  assert.equal(said.length, 3);
});

test('what the service says is found in every kind of artifact, unless it is a secret', () => {
  const found = kinds.filter((kind) => [...ran.shown].some((place) => new RegExp(`^${kind}`).test(place)));
  assert.deepEqual(found, kinds);
  const sent = [canaries.ACCESS_TOKEN, canaries.API_KEY, canaries.FRIEND_ACCESS_TOKEN];
  assert.deepEqual([...ran.service.sent].filter((credential) => sent.includes(credential)).sort(), sent.sort());
});

/**
 * Runs every command that sends requests, against a service that repeats credentials, and searches every byte of the commands' output and
 * files for these credentials. A test in src/playwright does the same for `sextant test`. The commands run in this process, without the
 * final redaction of the program's output streams.
 */
async function runEveryCommand(behind: Service) {
  const folder = ownFolder();
  const service = await startEchoingService(behind, knownCredentials);
  const proxy = await startForwardProxy({ credentials: `ann:${canaries.MONITOR}-PROXY_PASSWORD` });
  // Receives the notices of all channels. It accepts notices to the webhook, and refuses all others with a response that repeats their
  // credentials.
  const notices = await receiver(({ headers, path, body }) => {
    const said = [headers.authorization, /"routing_key":"[^"]+"/.exec(body)?.[0], path, DECOY];
    return path.startsWith('/secret-path/webhook/') ? 200 : { status: 404, body: said.filter(Boolean).join(' ') };
  });
  const outputs = new Map<string, string>();
  try {
    Object.assign(process.env, settingsIn(folder, service, { notices: notices.url, proxy: proxy.address }));
    const sextant = async (...args: string[]) => {
      const { out, err } = await runInProcess(args);
      outputs.set(args.join(' '), out + err);
    };
    service.treatment = 'break';
    const hasNotice = () => notices.received.some(({ body }) => body.includes('"kind":"down"'));
    await watch(folder, outputs, hasNotice);
    await probe(outputs);
    await sextant('environments', 'check', NAME);
    await sextant('check', '--env', NAME, '--junit', join(folder, 'check.xml'), '--summary', join(folder, 'check.md'));
    await sextant('check', '--env', NAME, '--json', '--area', 'features');
    await sextant('doctor', '--env', NAME);
    await sextant('doctor', '--env', NAME, '--json');
    await leaveBehind(service);
    await sextant('undo', '--env', NAME);
    await sextant('alerts', 'test', '--settings', join(folder, 'monitor.env'));
    for (const what of ['failures', 'flips', 'runs', 'hours', 'days', 'notices'])
      await sextant('history', 'export', '--data', join(folder, 'data'), '--what', what);
    service.treatment = 'decorate';
    // At least one question of each kind. Questions about paging are left out: they send hundreds of requests, and store no other parts of
    // responses than the questions here.
    const asked = [
      'love',
      'listBlocked empty-list',
      'listBlocked missing-header:*',
      'reportOptions',
      'getFriendProfile',
      'evaluate',
    ];
    await sextant('drill', '--env', NAME, '--fault', 'evaluate-*-unchecked');
    await sextant('survey', '--env', NAME, '--only', asked.join());
    await sextant('openapi', '--env', NAME);
    await sextant('compare', NAME, NAME);
    for (const format of ['http', 'postman'])
      await sextant('export', '--env', NAME, '--format', format, '--output', join(folder, 'exported', format));
    // A notice must contain the credential of its receiver, so this credential is no leak: remove it before the search.
    for (const [index, { body }] of notices.received.entries())
      outputs.set(`notice ${index}`, body.replace(/"(routing_key|topic)":"[^"]+"/, ''));
    const searched = { ...canaries, DECOY };
    const found = [
      ...findSecretsInFolder(folder, searched),
      ...[...outputs].flatMap(([name, text]) => findLeaks(Buffer.from(text), searched, name)),
    ];
    const leaks = found.filter(({ secret }) => secret !== 'DECOY');
    /**
     * The artifacts that show text of the service. They contain DECOY, a text that the service sends and that no output masks, because it
     * is not a secret.
     */
    const shown = new Set(found.filter(({ secret }) => secret === 'DECOY').map(({ place }) => place));
    return { leaks, shown, outputs, files: filesIn(folder), service };
  } finally {
    await Promise.all([notices.end(), proxy.stop(), service.stop()]);
  }
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

/**
 * Writes the environments and the settings of a monitor. Returns environment variables that make every command store its files in `folder`.
 */
function settingsIn(
  folder: string,
  { addresses }: EchoingService,
  { notices, proxy }: { readonly notices: string; readonly proxy: string },
): Record<string, string> {
  const environments = join(folder, 'environments');
  const none = { ACCESS_TOKEN: undefined, API_KEY: undefined };
  // A run waits as long as a request may take for changes that the monitor or the prober may still have on their way.
  const quick = { REQUEST_TIMEOUT_MS: 10_000, CONSISTENCY_TIMEOUT_MS: 100 };
  const data = { ...seededData, STORED_ITEM_IDS: seeded.items.join(',') };
  const text = environmentText(addresses, { ...none, ...data, ...quick });
  const ofMonitor = Object.keys(allKeys).filter((key) => allKeys[key]?.secrets);
  const at = (key: string) => `${notices}/${key === 'WEBHOOK_URL' ? 'webhook' : 'other'}/${canaries.MONITOR}-${key}`;
  const settings = {
    CONFIRM_AFTER: '0s',
    GATHER: '0s',
    TELEGRAM_CHAT_ID: '-100',
    EMAIL_FROM: 'a@b.test',
    EMAIL_TO: 'c@d.test',
    PROXY: proxy,
    PROXY_IN_CLEAR: 'yes',
    PROXY_USERNAME: 'ann',
  };
  const lines = Object.entries(settings).map((pair) => `${pair.join('=')}\n`);
  writeFiles(folder, {
    [`environments/${NAME}.env`]: text,
    'monitor.env': lines.join(''),
  });
  const { MONITOR, ...secrets } = canaries;
  const credentials = ofMonitor.map((key) => [key, key.endsWith('_URL') ? at(key) : `${MONITOR}-${key}`]);
  const folders = ['OUTPUT', 'STATE', 'OBSERVED'].map((name) => [name, join(folder, name.toLowerCase())]);
  return {
    SEXTANT_ENVIRONMENTS: environments,
    ...Object.fromEntries(folders.map(([name, path]) => [`SEXTANT_${name}`, path])),
    ...Object.fromEntries(Object.entries(secrets).map(([key, value]) => [`${NAME.toUpperCase()}_${key}`, value])),
    ...Object.fromEntries(credentials.map(([key, value]) => [`MONITOR_${key}`, value])),
    OTEL_EXPORTER_OTLP_ENDPOINT: notices,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${MONITOR}-OTEL`,
    MONITOR_SMTP_URL: `smtp://ann:${MONITOR}-SMTP_URL@127.0.0.1:1`,
    // In a job of GitHub Actions, commands print more text. The test searches this text, too.
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: join(folder, 'job.md'),
  };
}

/**
 * Runs a monitor of two areas, one with an API key and one with a token, until all scenarios are down and the monitor has sent a notice.
 * Stores every page in `outputs`.
 */
async function watch(folder: string, outputs: Map<string, string>, hasNotice: () => boolean): Promise<void> {
  const flags = ['--settings', join(folder, 'monitor.env'), '--data', join(folder, 'data'), '--port', '0'];
  const args = ['monitor', '--env', NAME, '--every', '5s', '--area', 'features', '--area', 'stories', ...flags];
  const visit = async (said: string) => {
    const seen = async (path: string) => {
      const url = new URL(path, /Status page: (http:\S+)/.exec(said)?.[1]);
      const response = await fetchOnce(url, { headers: { authorization: `Bearer ${canaries.MONITOR}-TOKEN` } });
      const text = await response.text();
      outputs.set(`page ${path}`, JSON.stringify([...response.headers]) + text);
      return text;
    };
    const isAllDown = async () => {
      const states = [...(await seen('/metrics')).matchAll(/^sextant_scenario_state\{.*state="(\w+)"\} 1$/gm)];
      const found = states.map(([, state]) => state);
      return found.includes('down') && !found.includes('pending') && hasNotice();
    };
    // Each request makes the monitor compute all metrics, so wait between requests.
    while (!(await isAllDown())) await wait(1_000);
    const scenarios = [...(await seen('/')).matchAll(/href="\.?\/?(scenario\/[^"]+)"/g)].map(
      ([, path = '']) => `/${path}`,
    );
    for (const path of ['/feed.atom', '/status.json', '/metrics', '/healthz', ...scenarios]) await seen(path);
  };
  const { out, err } = await runInProcess(args, { stopAt: /Press Ctrl-C/, visit });
  outputs.set('monitor', out + err);
}

/** Asks a prober to run the scenarios of an area, which all fail. Stores every page in `outputs`. */
async function probe(outputs: Map<string, string>): Promise<void> {
  const args = ['prober', '--env', NAME, '--area', 'friends', '--listen', '127.0.0.1:0', '--trust-state'];
  const target = `target=${NAME}`;
  const probes = [`/probe?${target}&debug=true`, `/probe?${target}`, `/probe?target=x`];
  const visit = async (said: string) => {
    for (const path of [...probes, '/targets', '/metrics', '/healthz']) {
      const response = await fetchOnce(new URL(path, /Prober: (http:\S+)/.exec(said)?.[1]));
      outputs.set(`prober ${path}`, JSON.stringify([...response.headers]) + (await response.text()));
    }
  };
  const { out, err } = await runInProcess(args, { stopAt: /Press Ctrl-C/, visit });
  outputs.set('prober', out + err);
}

/**
 * Writes many changes to the undo journal, as a killed run would, so that `undo` has changes to undo. Some of the undo requests fail, and
 * the error messages show the service's responses.
 */
async function leaveBehind({ addresses }: EchoingService): Promise<void> {
  const journal = new Journal(loadEnvironment(NAME));
  const change = { change: 'block', undo: 'unblock', as: 'caller', base: `${addresses.friends}/` } as const;
  for (let count = 0; count < 30; count++) {
    const made = { ...change, args: { friendId: `somebody-${count}` }, userId: seeded.caller.userId };
    journal.made((await journal.add(made)).id, true);
  }
  journal.end();
}
