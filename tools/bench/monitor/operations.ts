import { join } from 'node:path';
import { startService } from '../../../reference-service/index.ts';
import { RunRecorder } from '../../../src/monitor/run-recorder.ts';
import { runScenario, scenarios } from '../../../src/runner/index.ts';
import { temporaryFolder } from '../../../src/testing/monitor/fakes.ts';
import { embeddedEnvironment } from '../../../src/testing/test-environment.ts';
import { numberArgument, print } from './figures.ts';

// Live heap over many operations of one process, each run and recorded as the monitor does; the reference service is in it too.
// `node --expose-gc --max-old-space-size=160 --max-semi-space-size=2 --no-opt --no-concurrent-recompilation
// tools/bench/monitor/operations.ts --operations 1000000 --minutes 30`
const operations = numberArgument('operations', 1_000_000);
const until = performance.now() + numberArgument('minutes', 60) * 60_000;
const samples = 200;
const service = await startService({ port: 0 });
const { provisionUrl: _, ...environment } = embeddedEnvironment(service);
const [scenario] = (await scenarios()).filter(({ title }) => title === 'evaluate a flag that exists');
if (!scenario || !globalThis.gc) throw new Error('the scenario is gone, or --expose-gc is missing');
const folder = temporaryFolder();
const recorder = new RunRecorder({
  file: join(folder.path, 'h.sqlite'),
  environments: [environment],
  rule: { downAfter: 1, upAfter: 2, remindAfterMs: 3_600_000, gatherMs: 60_000 },
  channels: [],
  pageUrl: () => 'http://p/',
});
// Commits need not survive a power cut here.
recorder.db.get('PRAGMA synchronous = OFF');
const described = { environment: environment.name, title: scenario.title, area: 'features', effect: 'read' } as const;
recorder.enter(described, 0);
const points: { readonly at: number; readonly mb: number }[] = [];
let made = 0;
for (; made < operations && performance.now() < until; made++) {
  const result = await runScenario(scenario, { environment, seed: `${made}`, runId: 'bench' });
  const at = made * 60_000;
  recorder.record(environment, { first: { ...result, startedAt: at } }, at, 60_000, at);
  // Thirty days of runs are kept, so the file is as large as it gets; the memory is what is measured.
  if (made % 20_000 === 0) Array.from(recorder.pruning(at));
  if (made % Math.ceil(operations / samples) === 0) {
    globalThis.gc();
    points.push({ at: made, mb: process.memoryUsage().heapUsed / 1e6 });
    print(
      `${made} operations: live heap ${points.at(-1)?.mb.toFixed(1)} MB, resident ${Math.round(process.memoryUsage().rss / 1e6)} MB`,
    );
  }
}
// The first samples hold what is loaded and compiled once.
print(`${made} operations; slope ${(slope(points.slice(2)) * 1e6).toFixed(2)} MB per million operations`);
recorder.close();
folder.end();
await service.stop();

/** By least squares. */
function slope(all: typeof points): number {
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const [x, y] = [mean(all.map(({ at }) => at)), mean(all.map(({ mb }) => mb))];
  const above = all.reduce((sum, { at, mb }) => sum + (at - x) * (mb - y), 0);
  return above / all.reduce((sum, { at }) => sum + (at - x) ** 2, 0);
}
