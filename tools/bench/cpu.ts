import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadEnvironment } from '../../src/environment/index.ts';
import { runAll, scenarios } from '../../src/run/index.ts';
import { type UsersRun, withUsers } from '../../src/safety/index.ts';
import { verdicts } from '../../src/verdict/index.ts';
import { startBenchService } from './service.ts';

/**
 * CPU per operation: the in-process runner with its schema check, judgement, undo journal and redaction, and a bare `fetch` loop of the
 * same requests. A round is played as `check` plays it: the users are taken once.
 */
const ROUNDS = Number(process.argv[2] ?? 60);
const WARM_UP = Math.ceil(ROUNDS / 3);
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

/** The requests of one round in the form of `fetch`, with real credentials in place of their masks. */
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

async function microsecondsPerOperation(round: () => Promise<number>): Promise<number> {
  for (let index = 0; index < WARM_UP; index++) await round();
  const before = process.cpuUsage();
  let operations = 0;
  for (let index = 0; index < ROUNDS; index++) operations += await round();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / operations;
}

const bare = await microsecondsPerOperation(bareRound);
const inProcess = await microsecondsPerOperation(inProcessRound);
process.stdout.write(
  `${inProcess.toFixed(0)} µs of CPU for an operation in-process, ${bare.toFixed(0)} with a bare fetch: ${(inProcess / bare).toFixed(2)}×\n`,
);
stop();
process.exit();
