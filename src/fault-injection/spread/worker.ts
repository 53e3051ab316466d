import { faults } from '../../../reference-service/index.ts';
import { allScenarios } from '../../runner/index.ts';
import { DRILL_SEED } from '../drill.ts';
import { ownTasks, someAtOnce } from '../in-processes.ts';
import { relevant } from '../relevant-scenarios.ts';
import type { Task } from './drill-spread.ts';
import { play } from './play.ts';
import { rowFor, spread } from './readings.ts';

// A process of the spread: it is given tasks, and sends what came of each.
const tasks = await ownTasks<Task>();
const scenarios = await allScenarios();
await someAtOnce(tasks, async (task) => {
  const row = spread[task.row] ?? {};
  const fault = faults.find(({ name }) => name === task.fault);
  const played = fault
    ? await play(rowFor(fault, row), fault, relevant(scenarios, fault.operation, fault.kind === 'auth'), DRILL_SEED)
    : await play(row, undefined, scenarios, DRILL_SEED);
  process.send?.({ task, ...played });
});
process.disconnect?.();
