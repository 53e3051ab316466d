import { join } from 'node:path';
import { type Fault, startService } from '../../../reference-service/index.ts';
import { loadEnvironment } from '../../../src/config/index.ts';
import { runProbe } from '../../../src/monitor/probe/run-probe.ts';
import { RunRecorder } from '../../../src/monitor/run-recorder.ts';
import { runScenario, scenarios } from '../../../src/runner/index.ts';
import { fakeResult, temporaryFolder } from '../../../src/testing/monitor/fakes.ts';
import { embeddedEnvironment } from '../../../src/testing/test-environment.ts';
import { numberArgument, print } from './figures.ts';

// Real runs against a healthy service with one wrong response in a hundred: no notice may be sent. `--runs 100000`.
// Also shows the memory that so many operations take in one process. `--judging` invents the responses: faster, with the same
// judging, history and outbox.
const runs = numberArgument('runs', 100_000);
const isMadeUp = process.argv.includes('--judging');
loadEnvironment('local');
const service = await startService({ port: 0 });
const { provisionUrl: _, ...environment } = embeddedEnvironment(service);
const [scenario] = (await scenarios()).filter(({ title }) => title === 'evaluate a flag that exists');
if (!scenario) throw new Error('the scenario is gone');
let wrong = 0;
let wasWrong = false;
/** `single`: never two in a row; `independent`: at random. */
const isNextWrong = (kind: 'single' | 'independent') => {
  const isWrong = Math.random() < 0.01 && !(kind === 'single' && wasWrong);
  wasWrong = isWrong;
  if (isWrong) wrong++;
  return isWrong;
};
const flaky = (kind: 'single' | 'independent'): Fault => ({
  name: 'one in a hundred',
  operation: 'evaluate',
  handle: (honest) => (visit) => (isNextWrong(kind) ? { status: 500, body: {} } : honest(visit)),
});

for (const [kind, downAfter] of [
  ['single', 1],
  ['independent', 1],
  ['independent', 2],
] as const) {
  const folder = temporaryFolder();
  const rule = { downAfter, upAfter: 2, remindAfterMs: 3_600_000, gatherMs: 60_000 };
  const recorder = new RunRecorder({
    file: join(folder.path, 'h.sqlite'),
    environments: [environment],
    rule,
    channels: ['test'],
    pageUrl: () => 'http://p/',
  });
  // Commits need not survive a power cut here: a hundred thousand of them would measure the disk.
  recorder.db.get('PRAGMA synchronous = OFF');
  recorder.enter({ environment: environment.name, title: scenario.title, area: 'features', effect: 'read' }, 0);
  service.faults.set(flaky(kind));
  wrong = 0;
  const started = performance.now();
  const memory: number[] = [];
  for (let run = 0; run < runs; run++) {
    const at = run * 60_000;
    const attempt = async () =>
      isMadeUp
        ? fakeResult(isNextWrong(kind) ? 'failed' : 'passed', at, { title: scenario.title, area: 'features' })
        : { ...(await runScenario(scenario, { environment, seed: `${run}`, runId: 'bench' })), startedAt: at };
    const observed = await runProbe({
      attempt,
      isKnownDown: false,
      confirmAfterMs: 0,
      wait: async () => {},
      pauses: () => 0,
      whyCutOff: async () => undefined,
      now: () => at,
      signal: new AbortController().signal,
    });
    recorder.record(environment, observed, at, 60_000, at);
    if (run % Math.ceil(runs / 10) === 0) memory.push(Math.round(process.memoryUsage.rss() / 1e6));
  }
  const alarms = recorder.db.get(`SELECT count(*) AS count FROM notice`)?.count;
  const { good, retried } =
    recorder.db.get('SELECT sum(good) AS good, sum(retried) AS retried FROM rollup WHERE size = 86400000') ?? {};
  print(
    `${kind} failures, DOWN_AFTER=${downAfter}: ${runs} runs, ${wrong} wrong answers, ${runs - Number(good)} red first attempts, ${retried} passed on retry, told: ${alarms}  (${Math.round((performance.now() - started) / 1000)} s; MB resident over time: ${memory.join(' ')})`,
  );
  recorder.close();
  folder.end();
}
await service.stop();
