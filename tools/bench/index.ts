import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { loadEnvironment } from '../../src/config/index.ts';
import { projectRoot } from '../../src/config/project-root.ts';
import { runAll, scenarios } from '../../src/runner/index.ts';
import { freePortsInARow } from '../../src/testing/run-command.ts';
import { type BareRequest, bareRequests } from './bare-requests.ts';
import { startBenchEnvironment } from './bench-environment.ts';
import { findNewman, type Newman } from './newman.ts';
import { benchPlaywright } from './playwright.ts';
import { leastWallMs, run } from './processes.ts';

/** One line of the table: a ratio within this run, or a growth. */
interface Row {
  readonly what: string;
  readonly aim: string;
  readonly figure: string;
  readonly met: boolean;
  readonly details: Readonly<Record<string, number>>;
}

const bench = await startBenchEnvironment();
const env = { SEXTANT_ENVIRONMENTS: bench.folder, SEXTANT_OUTPUT: join(bench.folder, 'output') };
Object.assign(process.env, env);
const say = (text: string) => process.stderr.write(`${text}\n`);
const runNode = (...args: readonly string[]) => run(process.execPath, args, env);
const round = (value: number) => Math.round(value * 100) / 100;

try {
  const newman = await findNewman(bench.folder);
  const requests = newman ? await oneOfEach() : [];
  const rows: Row[] = [
    await cpu(),
    ...(newman ? [await wholeCheck(newman, requests), await furtherRequest(newman, requests)] : []),
  ];
  rows.push(await memory());
  report(rows, newman?.version);
} finally {
  bench.stop();
}

async function cpu(): Promise<Row> {
  say('CPU per operation …');
  const { stdout } = await runNode(join(import.meta.dirname, 'cpu.ts'));
  const { bare, resident } = JSON.parse(stdout) as Record<'bare' | 'resident', number>;
  return ratio('CPU per operation, resident host against a bare fetch loop', 2, resident, bare, 'us');
}

async function wholeCheck(newman: Newman, requests: readonly BareRequest[]): Promise<Row> {
  say('a whole check …');
  const base = await freePortsInARow();
  const own = readFileSync(join(projectRoot, 'environments', 'local.env'), 'utf8');
  writeFileSync(
    join(bench.folder, 'local.env'),
    own.replace(/127\.0\.0\.1:401(\d)/g, (_, last) => `127.0.0.1:${base + Number(last)}`),
  );
  const ours = await leastWallMs(5, () =>
    runNode(join(projectRoot, 'src', 'cli', 'sextant.ts'), 'check', '--env', 'local'),
  );
  const theirs = await leastWallMs(5, () => newman.run(requests, 1));
  return ratio(
    `one whole check --env local against newman run of ${requests.length} requests, wall`,
    0.5,
    ours,
    theirs,
    'ms',
  );
}

async function furtherRequest(newman: Newman, requests: readonly BareRequest[]): Promise<Row> {
  say('a further request …');
  const [few, many] = [20, 520];
  const list = requests.filter(({ url }) => /\/friends\/block\/\d/.test(url)).slice(0, 1);
  const cost = async (work: (count: number) => Promise<{ wallMs: number; stdout: string }>) =>
    ((await leastWallMs(3, () => work(many))) - (await leastWallMs(3, () => work(few)))) / (many - few);
  const ours = await cost((count) => benchPlaywright(bench.serving, count));
  const theirs = await cost((count) => newman.run(list, count));
  return ratio("Playwright suite: cost of a further request against Newman's", 0.2, ours, theirs, 'ms');
}

async function memory(): Promise<Row> {
  say('memory …');
  const { stdout } = await runNode('--expose-gc', join(import.meta.dirname, 'memory.ts'));
  const { atFirst, atLast, rss } = JSON.parse(stdout) as Record<'atFirst' | 'atLast' | 'rss', number>;
  const grownMb = (atLast - atFirst) / 1e6;
  return {
    what: 'memory in use between 1,000 and 20,000 rounds in one process',
    aim: 'grows by less than 10 MB',
    figure: `${grownMb.toFixed(1)} MB`,
    met: grownMb < 10,
    details: { atFirstMb: round(atFirst / 1e6), atLastMb: round(atLast / 1e6), rssMb: round(rss / 1e6) },
  };
}

/** One request per called operation, like a Postman collection. */
async function oneOfEach(): Promise<BareRequest[]> {
  const environment = loadEnvironment('bench');
  const results = await runAll(await scenarios(), { environment, seed: 'newman', runId: 'bench' });
  const seen = new Set<string>();
  const first = results.map((result) => ({
    ...result,
    exchanges: result.exchanges.filter(({ operation }) => !seen.has(operation) && seen.add(operation)),
  }));
  return bareRequests(first, environment);
}

function ratio(what: string, aim: number, ours: number, theirs: number, unit: string): Row {
  const value = ours / theirs;
  const details = { [`ours_${unit}`]: round(ours), [`theirs_${unit}`]: round(theirs), ratio: round(value) };
  return { what, aim: `≤ ${aim.toFixed(1)}×`, figure: `${value.toFixed(2)}×`, met: value <= aim, details };
}

function report(rows: readonly Row[], newman: string | undefined): void {
  const versionOf = (name: string) =>
    (JSON.parse(readFileSync(join(projectRoot, 'node_modules', name, 'package.json'), 'utf8')) as { version: string })
      .version;
  const machine = {
    cpu: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
    memoryGb: Math.round(totalmem() / 1e9),
    system: `${platform()} ${release()} ${arch()}`,
    loadAverage: round(loadavg()[0] ?? 0),
  };
  const versions = { node: process.version, playwright: versionOf('@playwright/test'), newman: newman ?? 'none' };
  for (const { what, aim, figure, met, details } of rows)
    process.stdout.write(
      `${met ? 'met   ' : 'MISSED'}  ${figure.padStart(9)}  ${aim.padEnd(24)}  ${what}  ${JSON.stringify(details)}\n`,
    );
  process.stdout.write(`${JSON.stringify({ ...machine, ...versions })}\n`);
  const file = join(import.meta.dirname, 'results.json');
  writeFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), machine, versions, rows }, null, 2)}\n`);
}
