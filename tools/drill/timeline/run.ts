import { join } from 'node:path';
import { inProcesses } from '../../../src/fault-injection/in-processes.ts';
import type { Cell } from './play.ts';
import type { TimelineMessage, TimelineTask } from './worker.ts';

/** Plays the tasks in child processes, each with state of its own; gives the cells by service. */
export async function runTimeline(tasks: readonly TimelineTask[]): Promise<Map<string, Cell[]>> {
  const found = new Map<string, Cell[]>();
  await inProcesses({
    module: join(import.meta.dirname, 'worker.ts'),
    tasks,
    onMessage: ({ service, cell }: TimelineMessage) => void found.set(service, [...(found.get(service) ?? []), cell]),
  });
  return found;
}
