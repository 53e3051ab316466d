import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { faults, startService } from '../../../reference-service/index.ts';
import { projectRoot } from '../../../src/environment/project-root.ts';
import { ownEnvironments, ownFolder, writeFiles } from '../../../src/testing/own-folder.ts';
import { alertReceiver, type SentAlert, startAlertmanager } from '../../../src/testing/programs/alertmanager.ts';
import { freePortsInARow, startProberCommand, startProgram, until } from '../../../src/testing/programs/run-command.ts';
import { fetchOnce } from '../../../src/testing/servers/listening.ts';
import { environmentText, seededData } from '../../../src/testing/test-environment.ts';
import { missing } from '../programs.ts';
import { prometheusFiles, prometheusFolder } from '../rules.ts';

/** The facts of the reference service. */
const localFacts = join(projectRoot, 'environments', 'local.facts.json');

/** The number by which all durations in the files of deploy/ are divided, so that the tests are faster. */
const FACTOR = 20;

/**
 * Starts a prober of `environments` (texts of their files by name), Prometheus and Alertmanager. They use the files of deploy/prometheus
 * with other addresses and shorter durations.
 */
async function watchedWorld(t: TestContext, environments: Readonly<Record<string, string>>) {
  const { folder, environments: environmentsFolder } = ownEnvironments(environments);
  // Only a survey finds these facts. Without them some scenarios could not be judged, and an alert would fire from the start.
  for (const name of Object.keys(environments))
    copyFileSync(localFacts, join(environmentsFolder, `${name}.facts.json`));
  const sent = await alertReceiver();
  t.after(() => sent.end());
  const { address: proberAddress } = await startProberCommand(t, folder, environmentsFolder);
  const prometheusPort = await freePortsInARow();
  const alertmanagerPort = prometheusPort + 1;
  const addresses: Readonly<Record<string, string>> = {
    '127.0.0.1:9465': proberAddress,
    '127.0.0.1:9093': `127.0.0.1:${alertmanagerPort}`,
    '127.0.0.1:9095': sent.address,
  };
  const adapted = (file: string) => {
    // Alerts end without the delay of `keep_firing_for`, which promtool's tests of the rules check.
    const text = readFileSync(file, 'utf8').replace(/(keep_firing_for: \d+)m/g, '$10s');
    return faster(
      Object.entries(addresses).reduce((so, [from, to]) => so.replaceAll(from, to), text),
      FACTOR,
    );
  };
  const config = join(folder, 'config');
  for (const file of [...prometheusFiles('prometheus.yml'), ...prometheusFiles('rules/*.yml')])
    writeFiles(config, { [relative(prometheusFolder, file)]: adapted(file) });
  const programs = [
    startAlertmanager(
      folder,
      withoutMaintenance(adapted(join(prometheusFolder, 'alertmanager.yml'))),
      alertmanagerPort,
    ),
    startProgram('prometheus', [
      `--config.file=${join(config, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${prometheusPort}`,
    ]),
  ];
  t.after(() => {
    for (const { child } of programs) child.kill('SIGKILL');
  });
  /** Both programs as one: it ends when either program ends, and has the output of both. */
  const either = {
    ended: Promise.race(programs.map(({ ended }) => ended)),
    said: () => programs.map(({ said }) => said()).join('\n'),
  };
  const json = async (url: string) => (await fetchOnce(url)).json();
  return {
    sent,
    prober: `http://${proberAddress}`,
    async query(expr: string): Promise<number | undefined> {
      const url = `http://127.0.0.1:${prometheusPort}/api/v1/query?query=${encodeURIComponent(expr)}`;
      const { data } = (await json(url)) as { data: { result: readonly { value: readonly [number, string] }[] } };
      return data.result[0] && Number(data.result[0].value[1]);
    },
    /** The alerts that Alertmanager suppresses because of another alert. */
    async inhibited(): Promise<Record<string, string>[]> {
      const url = `http://127.0.0.1:${alertmanagerPort}/api/v2/alerts?inhibited=true&active=false`;
      return ((await json(url)) as { labels: Record<string, string> }[]).map(({ labels }) => labels);
    },
    /** Waits for a condition. The condition may throw while a program doesn't respond yet. */
    until: (condition: () => Promise<boolean>) => until(() => condition().catch(() => false), either),
  };
}

const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Returns a configuration of Prometheus or Alertmanager with shorter durations. Changes only the values of keys that end in `interval`,
 * `timeout`, `wait` or `for`, and the durations in queries, which follow a bracket or `offset`.
 */
function faster(text: string, factor: number): string {
  const divided = (_: string, before: string, digits: string, unit: string) =>
    `${before}${Math.round((Number(digits) * unitsMs[unit as keyof typeof unitsMs]) / factor)}ms`;
  return text
    .replace(/^(\s*(?:- )?(?:\w+_)?(?:interval|timeout|wait|for): )(\d+)(ms|s|m|h|d)$/gm, divided)
    .replace(/(\[|offset )(\d+)(ms|s|m|h|d)\b/g, divided);
}

/**
 * Alertmanager's configuration with all maintenance in the year 2000. Otherwise no alert would arrive during the maintenance of each
 * Sunday.
 */
function withoutMaintenance(text: string): string {
  const config = parse(text) as { time_intervals: { time_intervals: object[] }[] };
  for (const interval of config.time_intervals) interval.time_intervals = [{ years: ['2000'] }];
  return stringify(config);
}

test('during the maintenance of an environment its alerts are muted, those of the others are not', {
  skip: missing('prometheus-alertmanager'),
}, async (t) => {
  const sent = await alertReceiver();
  t.after(() => sent.end());
  const text = readFileSync(join(prometheusFolder, 'alertmanager.yml'), 'utf8').replaceAll(
    '127.0.0.1:9095',
    sent.address,
  );
  const config = parse(faster(text, 20)) as { time_intervals: { name: string; time_intervals: object[] }[] };
  assert.deepEqual(
    config.time_intervals.map(({ name }) => name),
    ['maintenance-of-staging'],
  );
  for (const interval of config.time_intervals)
    interval.time_intervals = [{ times: [{ start_time: '00:00', end_time: '24:00' }] }];
  const port = await freePortsInARow();
  const program = startAlertmanager(ownFolder(), stringify(config), port);
  const alerts = ['staging', 'production'].flatMap((environment) => [
    { labels: { alertname: 'SextantScenarioFailing', environment, scenario: 'a', severity: 'page' } },
    { labels: { alertname: 'SextantDrifted', environment, scenario: 'b', severity: 'ticket' } },
  ]);
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(alerts) };
  // Alertmanager needs a moment until it listens.
  const takesAlerts = () => fetch(`http://127.0.0.1:${port}/api/v2/alerts`, request).catch(() => undefined);
  await until(async () => (await takesAlerts())?.ok === true, program);
  const arrived = () =>
    ['/pages', '/tickets'].flatMap((to) => sent.sentTo(to).map(({ labels }) => `${to} ${labels.environment}`)).sort();
  // Alertmanager logs this line for each alert that it mutes, here for two alerts of staging.
  const muted = () => [...program.said().matchAll(/Notifications not sent, route is within mute time/g)].length;
  await until(() => muted() >= 2 && arrived().length >= 2, program);
  assert.deepEqual([...new Set(arrived())], ['/pages production', '/tickets production']);
});

/** Two services with their environments. Tests stop the service of staging, and break the service of production. */
async function twoServices() {
  const port = await freePortsInARow();
  const start = () => startService({ port, quiet: true });
  const staging = await start();
  const production = await startService({ port: 0, quiet: true });
  const text = ({ addresses, provisionUrl }: typeof staging, effects: string) =>
    environmentText(addresses, { ...seededData, PROVISION_URL: provisionUrl, ALLOWED_EFFECTS: effects });
  // In staging, the scenarios that only read are enough to show that its service is gone. They are fewer, so the test is faster.
  const environments = { staging: text(staging, 'read'), production: text(production, 'read,reversible') };
  return { start, staging, production, environments };
}

const is =
  (status: SentAlert['status'], labels: Readonly<Record<string, string>>) =>
  (alert: SentAlert): boolean =>
    alert.status === status && Object.entries(labels).every(([name, value]) => alert.labels[name] === value);

test('a service breaks: the alert arrives with its labels, what follows from it is inhibited, and it resolves', {
  skip: missing('prometheus', 'prometheus-alertmanager'),
}, async (t) => {
  const services = await twoServices();
  let staging: Awaited<ReturnType<typeof services.start>> | undefined = services.staging;
  t.after(async () => {
    await staging?.stop();
    await services.production.stop();
  });
  const world = await watchedWorld(t, services.environments);
  const pages = () => world.sent.sentTo('/pages');
  const offered = (await (await fetch(`${world.prober}/targets`)).json()) as readonly object[];
  assert.ok(offered.length > 10);
  await world.until(async () => (await world.query('sum(probe_success)')) === offered.length);

  await staging.stop();
  staging = undefined;
  services.production.faults.set(...faults.filter(({ name }) => name === 'unlove-finds-no-love'));
  const gone = { alertname: 'SextantEnvironmentUnreachable', environment: 'staging', severity: 'page' };
  const failing = {
    alertname: 'SextantScenarioFailing',
    environment: 'production',
    area: 'stories',
    scenario: 'love, then unlove',
    effect: 'reversible',
    severity: 'page',
  };
  await world.until(async () => [gone, failing].every((labels) => pages().some(is('firing', labels))));
  assert.equal(pages().find(is('firing', gone))?.annotations.summary, 'staging: nothing answers');
  assert.match(
    pages().find(is('firing', failing))?.annotations.description ?? '',
    /^The scenario "love, then unlove" \(area stories\) failed .* Verdict: failed\. .*module=love-then-unlove&debug=true$/,
  );
  // Staging is unreachable. Its other alerts follow from that, so Alertmanager inhibits them.
  await world.until(async () => {
    const names = (await world.inhibited())
      .filter(({ environment }) => environment === 'staging')
      .map(({ alertname }) => alertname);
    return names.includes('SextantAreaUnreachable') && names.includes('SextantScenarioFailing');
  });

  staging = await services.start();
  services.production.faults.set();
  await world.until(async () => [gone, failing].every((labels) => pages().some(is('resolved', labels))));
});
