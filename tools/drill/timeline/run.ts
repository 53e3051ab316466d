import { join } from 'node:path';
import { inProcesses } from '../../../src/fault-injection/in-processes.ts';
import type { Cell } from './play.ts';
import type { TimelineMessage, TimelineTask } from './worker.ts';

/** Plays the tasks in child processes, each with its own state; resolves with the cells by service. */
export async function runTimeline(
  tasks: readonly TimelineTask[],
  onCell?: (service: string, cell: Cell) => void,
): Promise<Map<string, Cell[]>> {
  const found = new Map<string, Cell[]>();
  await inProcesses({
    module: join(import.meta.dirname, 'worker.ts'),
    tasks,
    // They wait for deadlines and lists.
    processes: 5,
    onMessage: ({ service, cell }: TimelineMessage) => {
      found.set(service, [...(found.get(service) ?? []), cell]);
      onCell?.(service, cell);
    },
  });
  return found;
}
