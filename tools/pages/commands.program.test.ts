import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'dotenv';
import { seeded, startService } from '../../reference-service/index.ts';
import { projectRoot } from '../../src/environment/project-root.ts';
import { areaIds } from '../../src/service/index.ts';
import { receiver } from '../../src/testing/monitor/receiver.ts';
import { ownFolder, writeFiles } from '../../src/testing/own-folder.ts';
import { plainEnvironment } from '../../src/testing/programs/child.ts';
import { addressesFrom, freePortsInARow, startProgram, until } from '../../src/testing/programs/run-command.ts';
import { ENTER, Terminal } from '../../src/testing/programs/terminal.ts';
import { environmentText, seededData } from '../../src/testing/test-environment.ts';
import { type PageCommand, pageCommands } from './commands.ts';

/**
 * Commands that take too long here, or change the checkout. For each of them: the test, tool or pipeline that plays it, and the text in
 * that file which shows this. `npm run check` does what `format` and `pages` do, without writing.
 */
const elsewhere: readonly (readonly [commands: RegExp, file: string, called: string])[] = [
  [/^npm ci( --omit=dev)?$/, 'tools/image/image.program.test.ts', 'RUN npm ci'],
  [/^npm ci(;| &&) npm start$/, '.github/workflows/ci.yml', 'npm ci && npm start'],
  [/^(npm ci && )?npm test$/, '.github/workflows/ci.yml', 'npm ci && npm test'],
  [/^npm start$|^npx (--no )?sextant test$/, 'tools/test.ts', "'test', '--env', 'local'"],
  [/^npm run (check|test:hermetic|test:program)$/, 'tools/test.ts', 'runTests'],
  [/^npm run (format|pages)$/, 'tools/check.ts', 'generated-pages.ts'],
  [/^npm run scores$/, 'src/survey/strangers.program.test.ts', 'scores'],
  [/^npm pack$/, 'tools/package/package.program.test.ts', "'npm', ['pack'"],
  [/^npm install$/, 'tools/package/package.program.test.ts', "'npm', 'install'"],
  [/^npx \S+ sextant init/, 'tools/package/package.program.test.ts', "sextant(['init'])"],
  [/^npm run drill:matrix$|^npx sextant drill$/, 'tools/drill/drill.program.test.ts', 'await drill('],
  [/^npx sextant drill --env staging( --json| --fail-under 95)?$/, 'src/cli/drill/drill.program.test.ts', 'fail-under'],
  [/^npx sextant drill --fault '/, 'src/cli/drill/drill.program.test.ts', "'--fault', '?l*"],
  [/^npx sextant test --env \S+ --(area|tag) \w+$/, 'src/cli/commands/test.program.test.ts', "'--area', 'storage'"],
  [/^npx sextant test --env \w+( --env \w+)?$/, 'src/cli/commands/test.program.test.ts', "'--env', 'a', '--env', 'b'"],
  [/^npx sextant test --seed/, 'src/playwright/adapter/outcomes.program.test.ts', 'the seed is printed'],
  [/^npx playwright test/, 'src/playwright/adapter/plain-playwright.program.test.ts', 'npx playwright test'],
  [/^npx sextant serve$/, 'src/cli/signals.program.test.ts', "'serve'"],
  [/allure generate|^sed .* joined/, 'tools/pipelines/recipes.program.test.ts', 'the commands of the page'],
  [/^(prometheus|alertmanager) --config/, 'tools/deploy/end-to-end/end-to-end.program.test.ts', "'prometheus'"],
  [/^promtool test rules/, 'tools/deploy/rules.program.test.ts', 'promtool'],
  [/^promtool check metrics$/, 'tools/deploy/metric-names.test.ts', 'promtool'],
];

/**
 * Exit codes other than 0, which the pages promise. The scenario `love two stories` is not written yet, so it can't be judged (3). No
 * scenario has failed here, so `--last-failed` has nothing to repeat (2).
 */
const promised: Readonly<Record<string, number>> = {
  "npx sextant check --env local --scenario 'love two stories'": 3,
  'npx sextant check --env staging --last-failed': 2,
  'npx sextant test --env staging -- --last-failed': 2,
};

/**
 * Programs that run until a signal ends them. `askers`: for each of them, the commands on the pages that send requests to it or read its
 * history.
 */
const stays = /^npx sextant (monitor(?! run)|prober|serve)\b/;
const askers: Readonly<Record<string, RegExp>> = {
  'npx sextant prober': /^curl .*:9465\/(probe\?target=local|targets)/,
  'npx sextant prober --env staging': /^curl .*(target=staging|\$PROBER)/,
  "npx sextant monitor --env staging --env 'prod-*' --every 60s --data ./monitor-data":
    /^npx sextant (monitor run|maintenance|alerts|history) |^curl .*status\.your\.org/,
};
const isAsker = (text: string) => Object.values(askers).some((pattern) => pattern.test(text));

/**
 * The commands that may be played, one command a line. A page could also tell its reader to publish, install or delete something. `curl`
 * may only send requests to a program that this test has started.
 */
const harmless =
  /^(?!.*(;|&&|\||\$\())((\w+=\S+ )?npx (--no )?sextant |npm (run drill:matrix -- --missing$|sbom )|git (add|commit|show|tag) |kubectl kustomize )/;

/**
 * These commands only read the checkout, in which Playwright has compiled the specs already. All other commands run in a copy of the
 * checkout.
 */
const inCheckout = /^npx (--no )?sextant (drill --fault|test )|^npm sbom/;

/**
 * These commands come last. They create or play a scenario that is not written yet, and with it every other run of all scenarios would end
 * with 3.
 */
const last = /^npx sextant new scenario|'love two stories'/;

const all = pageCommands();
const placeOf = ({ page, line }: PageCommand) => `${page}:${line}`;
const isElsewhere = ({ text }: PageCommand) => elsewhere.some(([commands]) => commands.test(text));
const isHarmless = ({ text, language }: PageCommand) => language === 'sh' && (harmless.test(text) || isAsker(text));
const due = all.filter((each) => !each.notTried && !isElsewhere(each));
const cure = 'correct it; or write <!-- not tried: REASON --> before its block, or after it in a sentence';

// A copy of the checkout, as a team has it. Its only specs are those of tests/scenarios.
const folder = ownFolder();
const team = join(folder, 'team');
const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: projectRoot,
});
for (const file of String(tracked).split('\0'))
  if (file && !/\.test\.ts$|^tests\/(?!scenarios)|\.png$/.test(file) && existsSync(join(projectRoot, file)))
    cpSync(join(projectRoot, file), join(team, file));
symlinkSync(join(projectRoot, 'node_modules'), join(team, 'node_modules'), 'junction');

const service = await startService({ port: 0, quiet: true });
after(() => service.stop());
const slack = await receiver();
after(() => slack.end());
/** The first of the ports of `local`. After these come the ports of the monitor and the prober. */
const base = await freePortsInARow(areaIds.length + 3);
const [monitorPort, proberPort] = [base + areaIds.length + 1, base + areaIds.length + 2];

const token = 'token-of-the-monitor-0123456789';
const keys = { ...seededData, FRIEND_ACCESS_TOKEN: seeded.friend.accessToken, REQUEST_TIMEOUT_MS: 60_000 };
const staging = environmentText(service.addresses, { ...keys, PROVISION_URL: service.provisionUrl });
const provisioner = { PROVISION_URL: `http://127.0.0.1:${base + areaIds.length}` };
const facts = readFileSync(join(projectRoot, 'environments', 'local.facts.json'), 'utf8');
for (const name of ['staging', 'production', 'prod-eu'])
  writeFiles(join(team, 'environments'), { [`${name}.env`]: staging, [`${name}.facts.json`]: facts });
writeFiles(team, {
  'environments/local.env': environmentText(addressesFrom(base), { ...keys, ...provisioner }),
  'envs/local.env': staging,
  'monitor.env': `TOKEN=${token}\nPORT=${monitorPort}\nSLACK_WEBHOOK_URL=${slack.url}\n`,
});

// `npx` runs the program of the current folder, as npm's `npx` does, but in a third of the time. `curl` fails if the response is an error.
const tools = writeFiles(join(folder, 'tools'), {
  npx: `#!/bin/sh\n[ "$1" = --no ] && shift\nshift\nexec node "$PWD/src/cli/launcher/sextant.js" "$@"\n`,
  '.gitconfig': '[user]\nname = t\nemail = t@your.org\n',
  '.curlrc': 'fail-with-body\nsilent\nshow-error\n',
});
chmodSync(join(tools, 'npx'), 0o755);
const { SEXTANT_OUTPUT: _, SEXTANT_STATE: __, ...ofMachine } = plainEnvironment() as Record<string, string>;
const env: Record<string, string> = {
  ...ofMachine,
  PATH: [tools, dirname(process.execPath), ofMachine['PATH']].join(delimiter),
  CURL_HOME: tools,
  TOKEN: token,
  PROBER: `http://127.0.0.1:${proberPort}`,
  PROBER_LISTEN: `127.0.0.1:${proberPort}`,
  GIT_CONFIG_GLOBAL: join(tools, '.gitconfig'),
};

/** Parts of commands that depend on the reader's machine and team, and their values here. */
const here: readonly (readonly [RegExp, string])[] = [
  [/\b(127\.0\.0\.1|0\.0\.0\.0):9465\b/g, `127.0.0.1:${proberPort}`],
  [/--port 5010\b/g, `--port ${base}`],
  [/https:\/\/status\.your\.org/g, `http://127.0.0.1:${monitorPort}`],
  [/https:\/\/(pr-17\.)?friends\.your\.org/g, service.addresses.friends],
  [/(?<=--fault )NAME\b/g, 'unblock-does-nothing'],
  [/\bNAME\b/g, 'staging'],
  [/\bCOMMAND\b/g, 'check'],
  [/(?<=import )FILE\b/g, 'staging.postman_environment.json'],
  [/<name>/g, 'mine'],
];
const typed = (text: string) => here.reduce((line, [page, own]) => line.replaceAll(page, own), text);
const toPlay = [...Map.groupBy(due.filter(isHarmless), ({ text }) => typed(text)).values()].flatMap((same) =>
  same.slice(0, 1),
);

/** Each new environment gets its own folder, because the pages create several environments with the same name. */
function variablesFor(text: string): Record<string, string> {
  if (/environments (new|import)/.test(text))
    return { ...env, SEXTANT_ENVIRONMENTS: join(ownFolder(), 'environments') };
  if (!inCheckout.test(text)) return env;
  return { ...env, SEXTANT_ENVIRONMENTS: join(team, 'environments'), SEXTANT_OUTPUT: join(folder, 'results') };
}

function startShell(text: string) {
  const cwd = inCheckout.test(text) ? projectRoot : team;
  return startProgram('sh', ['-c', stays.test(text) ? `exec ${typed(text)}` : typed(text)], {
    cwd,
    env: variablesFor(text),
  });
}

/** Plays a command that asks questions. If a question names a key, the answer is the value of this key; otherwise it is Enter. */
async function playOnTerminal(text: string) {
  const values = parse(staging);
  const terminal = new Terminal(['-c', typed(text)], variablesFor(text), { cwd: team, program: 'sh' });
  const isOver = terminal.ended.then(() => '');
  for (;;) {
    const heard = await Promise.race([isOver, terminal.hears(/\n[\s\S]*\? [\s\S]*> $/).catch(() => '')]);
    if (!heard) return { code: await terminal.ended, said: terminal.said };
    const key = [...heard.matchAll(/\? ([A-Z_]+)\b/g)].at(-1)?.[1] ?? '';
    await terminal.answers(/^/, (values[key] ?? '') + ENTER);
  }
}

async function play(command: PageCommand): Promise<void> {
  const { text } = command;
  // Some commands read the team's `.env`. The option `--map` names the key that has another name there.
  const [, theirs = '', ours = ''] = /--map (\w+)=(\w+)/.exec(text) ?? [];
  writeFiles(team, { '.env': ours ? staging.replace(new RegExp(`^${ours}=`, 'm'), `${theirs}=`) : staging });
  if (/environments new/.test(text)) {
    const { code, said } = await playOnTerminal(text);
    return assertEnd(command, code, said);
  }
  const running = startShell(text);
  assertEnd(command, await running.ended, running.said());
}

function assertEnd(command: PageCommand, code: number | null, said: string): void {
  const expected = promised[command.text] ?? 0;
  const named = `${placeOf(command)}: \`${command.text}\``;
  assert.equal(code, expected, `${named} ended with ${code}, not with ${expected}: ${cure}. It said:\n${said}`);
  assert.doesNotMatch(said, /^ +at .*:\d+:\d+\)?$/m, `${named} shows a stack`);
}

/** A machine may lack curl or kubectl. Commands that need them are then skipped. */
const missing = ({ text }: PageCommand) => {
  const [name = ''] = /^(curl|kubectl)\b/.exec(text) ?? [];
  return name !== '' && spawnSync(name, ['--help']).error !== undefined && `${name} is not installed`;
};
const titled = (command: PageCommand) => [`${placeOf(command)}: ${command.text}`, { skip: missing(command) }] as const;

test('each command of the pages is played here or elsewhere, or its page says why it was not tried', () =>
  assert.deepEqual(
    due.filter((each) => !isHarmless(each)).map((each) => `${placeOf(each)}: \`${each.text}\` is not tried: ${cure}`),
    [],
  ));

test('what is played elsewhere is on a page, and the file that plays it calls it so', () => {
  for (const [commands, file, called] of elsewhere) {
    const isOnPage = all.some(({ text }) => commands.test(text));
    assert.ok(isOnPage, `no page has ${commands}`);
    assert.ok(readFileSync(join(projectRoot, file), 'utf8').includes(called), `${file} has no ${called}`);
  }
});

test('the files that the pages name are made by the program itself', async () => {
  for (const text of [
    'npx sextant openapi --env staging > openapi.yaml',
    'npx sextant export --env staging --format postman --output .',
    // The program exports no secrets, but a team's own export has them.
    `sed -i 's/"value": ""/"value": "a-secret-of-the-team"/' staging.postman_environment.json`,
    'cp staging.postman_environment.json qa.postman_environment.json',
    'cp staging.postman_collection.json service.postman_collection.json && cp staging.postman_collection.json collection.json',
    'git init -q && git add . && git commit -qm "A team of your own"',
  ])
    await play({ page: 'here', line: 0, language: 'sh', text });
});

const isLast = ({ text }: PageCommand) => last.test(text);
const others = toPlay.filter(({ text }) => !isAsker(text));
for (const command of [...others.filter((each) => !isLast(each)), ...others.filter(isLast)])
  test(...titled(command), async (t) => {
    if (!stays.test(command.text)) return play(command);
    const running = startShell(command.text);
    await until(() => /Press Ctrl-C/.test(running.said()), running);
    for (const asker of toPlay.filter(({ text }) => askers[command.text]?.test(text)))
      await t.test(...titled(asker), () => play(asker));
    running.child.kill('SIGTERM');
    assertEnd(command, await running.ended, running.said());
  });
