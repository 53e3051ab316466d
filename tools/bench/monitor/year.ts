import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { knownScenarios } from '../../../src/monitor/history/scenarios.ts';
import { historyFile } from '../../../src/monitor/index.ts';
import { startMonitor } from '../../../src/monitor/start.ts';
import { fakeEnvironment, quickSettings, temporaryFolder } from '../../../src/testing/monitor/fakes.ts';
import { makeUpYear } from './made-up-year.ts';

// A year of three environments with twelve scenarios, one run per minute: page, file and start. `--keep FOLDER` keeps it.
const at = process.argv.indexOf('--keep');
const temporary = temporaryFolder();
const data = (at > 0 && process.argv[at + 1]) || join(temporary.path, 'data');
const names = ['local', 'production', 'staging'];
mkdirSync(data, { recursive: true });

const cpuMs: number[] = [];
const from = performance.now();
const isThere = existsSync(historyFile(data));
const runs = isThere ? 0 : makeUpYear(historyFile(data), names, Date.now());
print('runs that the year stands for', runs.toLocaleString('en-GB'), `made in ${seconds(from)} s`);
print('file', `${(statSync(historyFile(data)).size / 1e6).toFixed(0)} MB`, 'aim ≤ 1,000 MB');

const starting = performance.now();
const running = await startMonitor({
  environments: names.map((name) => fakeEnvironment(name)),
  scenarios: [],
  settings: quickSettings(data),
  say: () => {},
});
print('start until the page listens', `${(performance.now() - starting).toFixed(0)} ms`, 'aim ≤ 2,000 ms');

const { recorder } = running.monitor;
for (const known of knownScenarios(recorder.db)) recorder.enter(known, Date.now());
await time('/', 'the first time');
const times: number[] = [];
for (let round = 0; round < 30; round++) {
  // As in service: a run was recorded since the last request.
  const known = recorder.scenarios[round % recorder.scenarios.length];
  if (known) recorder.drop(known, { skipped: 0, missed: 1 }, Date.now());
  times.push(await time('/'));
}
report('/ after a run, 30 times', times);
report('a scenario, 30 times', await many('/scenario/staging/who-blocked-me'));
report('/status.json, 30 times', await many('/status.json'));
report('/incidents, 30 times', await many('/incidents'));
print('memory', `${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB resident (the making of the year is in it)`, '');
await running.stop();
temporary.end();

async function many(path: string): Promise<number[]> {
  const found: number[] = [];
  for (let round = 0; round < 30; round++) found.push(await time(path));
  return found;
}

async function time(path: string, name?: string): Promise<number> {
  const before = performance.now();
  const cpu = process.cpuUsage();
  const text = await (await fetch(new URL(path, running.url))).text();
  const ms = performance.now() - before;
  const used = process.cpuUsage(cpu);
  cpuMs.push((used.user + used.system) / 1000);
  if (name) print(`${path} ${name}`, `${ms.toFixed(0)} ms`, `${(text.length / 1000).toFixed(0)} kB`);
  return ms;
}

function report(name: string, found: number[]): void {
  found.sort((a, b) => a - b);
  const [median, worst] = [found[Math.floor(found.length / 2)], found.at(-1)];
  const cpu = cpuMs.splice(0).reduce((sum, ms) => sum + ms, 0) / found.length;
  print(
    name,
    `median ${median?.toFixed(0)} ms, worst ${worst?.toFixed(0)} ms`,
    `${cpu.toFixed(0)} ms of CPU each, asking included; aim ≤ 50 ms`,
  );
}

function print(name: string, value: string, note: string): void {
  process.stdout.write(`${name.padEnd(34)}${value.padEnd(34)}${note}\n`);
}

function seconds(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1);
}
