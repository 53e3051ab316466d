import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TestContext } from 'node:test';
import { ownEnvironments, writeFiles } from '../../../src/testing/own-folder.ts';
import { alertReceiver, startAlertmanager } from '../../../src/testing/programs/alertmanager.ts';
import { freePortsInARow, startProberCommand, startProgram, until } from '../../../src/testing/programs/run-command.ts';
import { fetchOnce } from '../../../src/testing/servers/listening.ts';
import { prometheusFiles, prometheusFolder } from '../rules.ts';

/** All durations of the files of deploy/ are divided by it. */
const FACTOR = 20;

/**
 * A prober of environments, by name with the text of each file, Prometheus and Alertmanager with the files of deploy/prometheus, in which
 * addresses and durations alone are replaced.
 */
export async function watchedWorld(t: TestContext, environments: Readonly<Record<string, string>>) {
  const { folder, environments: environmentsFolder } = ownEnvironments(environments);
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
    // How long an alert goes on after its cause, the timelines hold: here nobody waits for it.
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
    startAlertmanager(folder, adapted(join(prometheusFolder, 'alertmanager.yml')), alertmanagerPort),
    startProgram('prometheus', [
      `--config.file=${join(config, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${prometheusPort}`,
    ]),
  ];
  t.after(() => {
    for (const { child } of programs) child.kill('SIGKILL');
  });
  /** Either ends, with what both said. */
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
    /** The alerts that Alertmanager holds back because of another one. */
    async inhibited(): Promise<Record<string, string>[]> {
      const url = `http://127.0.0.1:${alertmanagerPort}/api/v2/alerts?inhibited=true&active=false`;
      return ((await json(url)) as { labels: Record<string, string> }[]).map(({ labels }) => labels);
    },
    /** Waits for a condition, which may fail as long as a program doesn't answer yet. */
    until: (condition: () => Promise<boolean>) => until(() => condition().catch(() => false), either),
  };
}

const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * The text of a file of Prometheus or Alertmanager with every duration divided: of keys that end in `interval`, `timeout`, `wait` or
 * `for`, and in the brackets of a query. Nothing else is changed.
 */
export function faster(text: string, factor: number): string {
  const divided = (_: string, before: string, digits: string, unit: string) =>
    `${before}${Math.round((Number(digits) * unitsMs[unit as keyof typeof unitsMs]) / factor)}ms`;
  return text
    .replace(/^(\s*(?:- )?(?:\w+_)?(?:interval|timeout|wait|for): )(\d+)(ms|s|m|h|d)$/gm, divided)
    .replace(/(\[|offset )(\d+)(ms|s|m|h|d)\b/g, divided);
}
