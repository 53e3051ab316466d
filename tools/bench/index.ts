import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../src/config/project-root.ts';
import { freePortsInARow } from '../../src/testing/programs/run-command.ts';
import { measureMonitor } from './monitor.ts';
import { type BenchEnvironment, leastWallMs, runNode, sextant, startBenchEnvironment } from './processes.ts';

const { values: given, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    /** Of each measurement of a monitor. */
    minutes: { type: 'string', default: '3' },
    environments: { type: 'string', default: '50' },
    readers: { type: 'string', default: '0' },
  },
});
const minutes = Number(given.minutes);

/** Each says what it found. `npm run bench` measures all of them, `npm run bench -- help whole-check` these two. Those of a monitor take options. */
const measures: Readonly<Record<string, (bench: BenchEnvironment) => Promise<string>>> = {
  help: async () => `${(await leastWallMs(10, () => sextant(['--help']))).toFixed(0)} ms wall`,
  'whole-check': async (bench) => {
    await writeLocalEnvironment(bench);
    return `${(await leastWallMs(5, () => sextant(['check', '--env', 'local'], bench.env))).toFixed(0)} ms wall`;
  },
  'whole-suite': async (bench) => {
    await writeLocalEnvironment(bench);
    const cli = createRequire(import.meta.url).resolve('@playwright/test/cli');
    const suite = () => runNode([cli, 'test', '-c', projectRoot, '--project=local'], bench.env);
    return `${((await leastWallMs(3, suite)) / 1_000).toFixed(1)} s wall`;
  },
  // Every 5 s instead of every minute: as many rounds in three minutes as in 36.
  'monitor-remote': (bench) =>
    measureMonitor(bench, { environments: 1, every: '5s', warmUpMs: 15_000, minutes, readers: 0 }),
  'monitor-many': (bench) => {
    const [environments, readers] = [Number(given.environments), Number(given.readers)];
    return measureMonitor(bench, { environments, every: '60s', warmUpMs: 75_000, minutes, readers });
  },
};

/** The environment `local` as it is shipped, on free ports. */
async function writeLocalEnvironment({ folder }: BenchEnvironment): Promise<void> {
  const base = await freePortsInARow();
  const text = readFileSync(join(projectRoot, 'environments', 'local.env'), 'utf8');
  const moved = text.replace(/127\.0\.0\.1:401(\d)/g, (_, last) => `127.0.0.1:${base + Number(last)}`);
  writeFileSync(join(folder, 'local.env'), moved);
}

const unknown = asked.filter((name) => !Object.hasOwn(measures, name));
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(', ')}. There are ${Object.keys(measures).join(', ')}.\n`);
  process.exit(2);
}
process.stdout.write(`${cpus().length} × ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(2)}\n`);
for (const [name, measure] of Object.entries(measures)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const bench = await startBenchEnvironment();
  Object.assign(process.env, bench.env);
  try {
    process.stdout.write(`${name}: ${await measure(bench)}\n`);
  } finally {
    bench.stop();
  }
}
