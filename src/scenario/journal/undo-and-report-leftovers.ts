import { randomUUID } from 'node:crypto';
import { excerpt, silent } from '../../client/index.ts';
import { counted, type Environment } from '../../config/index.ts';
import { type Undone, undoLeftovers } from './undo-leftovers.ts';

/**
 * Undoes what earlier runs that were killed left behind, and says so on stderr. Whatever runs scenarios begins with it.
 */
export async function undoAndReportLeftovers(environment: Environment, signal?: AbortSignal): Promise<void> {
  const options = { observer: silent, runId: randomUUID(), ...(signal ? { signal } : {}) };
  const undone = await undoLeftovers(environment, options);
  if (undone.length > 0) process.stderr.write(`${describeUndone(environment.name, undone)}\n`);
}

/** What came of leftovers, a line each, below a sentence that sums them up. */
export function describeUndone(environment: string, undone: readonly Undone[]): string {
  const done = undone.filter((each) => each.done).length;
  const left = undone.length - done;
  const changes = (count: number) => counted(count, 'change');
  const failed = left > 0 ? `; ${changes(left)} could not be undone` : '';
  const summary = `${environment}: undid ${changes(done)} left behind by an earlier run${failed}.`;
  return [summary, ...undone.map(line)].join('\n');
}

function line({ entry, done, text }: Undone): string {
  const { change, args, userId, at } = entry;
  return `  ${done ? 'undone' : 'LEFT  '}  ${change} ${excerpt(JSON.stringify(args), 80)} of ${userId}, ${at}: ${text}`;
}
