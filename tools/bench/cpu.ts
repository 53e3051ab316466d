import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadEnvironment } from '../../src/environment/index.ts';
import { runAll, scenarios } from '../../src/run/index.ts';
import { type UsersRun, withUsers } from '../../src/safety/index.ts';
import { verdicts } from '../../src/verdict/index.ts';
import { percentileOf } from './reading.ts';
import { startBenchService } from './service.ts';

/**
 * Measures two ratios. The two programs of a ratio take turns, so that other work on the machine slows both.
 * - CPU per operation: the in-process runner (schema check, judgement, undo journal, redaction) against a bare `fetch` loop with the same
 *   requests. A round is played as in `check`: it locks the users once.
 * - Wall time with npx: the help against an empty program, and a check against Newman with the same requests.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '60' },
    /** How often npx starts each program. */
    starts: { type: 'string', default: '7' },
    /** The folder of another `node` that npx starts. */
    node: { type: 'string' },
    /** Whether to compare with Newman, which npx fetches. */
    newman: { type: 'boolean', default: false },
  },
});
const ROUNDS = Number(values.rounds);
/** The first rounds only warm up, and are not measured. */
const WARM_UP = Math.ceil(ROUNDS / 3);
const STARTS = Number(values.starts);
const { folder, env, text, stop } = await startBenchService();
writeFileSync(join(folder, 'bench.env'), text);
Object.assign(process.env, env);
const environment = loadEnvironment('bench');
const all = await scenarios();
let run = 0;

async function inProcessRound(): Promise<number> {
  const play = (users: UsersRun) =>
    runAll(all, { environment, users, seed: `${process.pid} ${run++}`, runId: 'bench' });
  const results = await withUsers(environment, { say: () => {} }, play);
  const bad = results.find(({ verdict }) => verdicts[verdict].ran && verdicts[verdict].health !== 'up');
  if (bad) throw new Error(`${bad.title}: ${bad.verdict}, ${bad.reason}`);
  return results.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
}

/** The requests of one round as arguments of `fetch`. They have the real credentials, because exchanges have masked ones. */
const requests = (await runAll(all, { environment, seed: `${process.pid} bare`, runId: 'bench' })).flatMap(
  ({ exchanges }) =>
    exchanges.map(({ request: { method, url, headers, correlation, body } }) => ({
      url,
      method,
      headers: { ...correlation, ...unmasked(headers) },
      ...(body === undefined ? {} : { body }),
    })),
);

function unmasked(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { caller, friend } = environment;
  const token = headers['mm-user-id'] === friend.userId ? friend.accessToken : caller.accessToken;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const secret = name.toLowerCase() === 'authorization' ? token : caller.apiKey;
      return [name, value.replace('***', secret?.reveal() ?? '')];
    }),
  );
}

async function bareRound(): Promise<number> {
  for (const { url, ...init } of requests) await (await fetch(url, init)).text();
  return requests.length;
}

/**
 * The median of the measurements of each of the compared programs (`sides`). The programs take turns, and the first `warmUp` turns are not
 * measured.
 */
async function inTurn(times: number, warmUp: number, sides: readonly (() => number | Promise<number>)[]) {
  const measured = sides.map((): number[] => []);
  for (let index = -warmUp; index < times; index++)
    for (const [side, measure] of sides.entries()) {
      const value = await measure();
      if (index >= 0) measured[side]?.push(value);
    }
  return measured.map((each) => percentileOf(each, 50));
}

/** Plays a round and returns its CPU time per operation, in µs. */
async function cpuOf(round: () => Promise<number>): Promise<number> {
  const before = process.cpuUsage();
  const operations = await round();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / operations;
}

/** How long npx takes with these arguments, in ms. */
function wallOf(args: readonly string[]): number {
  const before = performance.now();
  const path = values.node === undefined ? {} : { PATH: [values.node, process.env.PATH].join(delimiter) };
  const { status, stderr } = spawnSync('npx', args, { env: { ...process.env, ...path }, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npx ${args.join(' ')}: ${stderr}`);
  return performance.now() - before;
}

function report(what: string, unit: string, [one = 0, other = 0]: readonly number[]): void {
  process.stdout.write(`${what}: ${(one / other).toFixed(2)}× (${one.toFixed(0)} and ${other.toFixed(0)} ${unit})\n`);
}

const costs = await inTurn(ROUNDS, WARM_UP, [() => cpuOf(inProcessRound), () => cpuOf(bareRound)]);
report('an operation in-process against fetch', 'µs of CPU', costs);
const starts = ['sextant --help', 'node -e 0'].map((line) => () => wallOf(['-c', line]));
report('the help against an empty program', 'ms', await inTurn(STARTS, 1, starts));
if (values.newman) {
  const collection = join(folder, 'collection.json');
  const item = requests.map(({ url, method, headers, body: raw }, index) => {
    const header = Object.entries(headers).map(([key, value]) => ({ key, value }));
    return { name: `${index}`, request: { url, method, header, ...(raw ? { body: { mode: 'raw', raw } } : {}) } };
  });
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
  writeFileSync(collection, JSON.stringify({ info: { name: 'bench', schema }, item }));
  const times = await inTurn(STARTS, 1, [
    () => wallOf(['-c', 'sextant check --env bench --yes']),
    () => wallOf(['--yes', 'newman@6.2.2', 'run', collection]),
  ]);
  report(`a check against Newman, ${requests.length} requests`, 'ms', times);
}
stop();
process.exit();
