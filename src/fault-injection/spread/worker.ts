import { faults } from '../../../reference-service/index.ts';
import { allScenarios } from '../../runner/index.ts';
import { DRILL_SEED } from '../drill.ts';
import { ownTasks } from '../in-processes.ts';
import { relevant } from '../relevant-scenarios.ts';
import { play } from './play.ts';
import type { Task } from './played.ts';
import { rowFor, spread } from './readings.ts';

/** Tasks in parallel, each with a separate service; they mostly wait for lists that never change. */
const AT_ONCE = 6;

// A process of the spread: it is given tasks, and sends what came of each.
const tasks = await ownTasks<Task>();
const scenarios = await allScenarios();
let next = 0;
const worker = async () => {
  while (next < tasks.length) {
    const task = tasks[next++] as Task;
    const row = spread[task.row] ?? {};
    const fault = faults.find(({ name }) => name === task.fault);
    const played = fault
      ? await play(rowFor(fault, row), fault, relevant(scenarios, fault.operation, fault.kind === 'auth'), DRILL_SEED)
      : await play(row, undefined, scenarios, DRILL_SEED);
    process.send?.({ task, ...played });
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, worker));
process.disconnect?.();
