import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { ownModule } from '../environment/project-root.ts';

/** Maximum number of processes, however many cores there are. */
const MOST = 4;

/** Works through the tasks of one process, and sends each result to the parent process. */
export type DoTasks<T, M> = (tasks: readonly T[], send: (message: M) => void) => Promise<void>;

interface Work<T, M> {
  /** Path of a module that exports `work`, a `DoTasks`; each process calls it. */
  readonly module: string;
  readonly tasks: readonly T[];
  /** A process is worth starting for this many tasks, so up to `least` tasks run in a single process. Default: 1. */
  readonly least?: number;
  readonly onMessage: (message: M) => void;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Deals the tasks out to the processes one by one. Neighbouring tasks take about the same time, so all processes get a similar amount of
 * work.
 */
export async function inProcesses<T extends object | string, M>(work: Work<T, M>): Promise<void> {
  const { least = 1 } = work;
  const count = Math.min(MOST, availableParallelism(), Math.ceil(work.tasks.length / least));
  const shares = Array.from({ length: count }, (_, share) =>
    work.tasks.filter((_task, index) => index % count === share),
  );
  await Promise.all(shares.filter((share) => share.length > 0).map((share) => inProcess(share, work)));
}

/**
 * Default number of items that are worked on at a time. Each item has its own service, and its work is mostly to wait for lists that never
 * change.
 */
const AT_ONCE = 6;

export async function someAtOnce<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  signal?: AbortSignal,
  atOnce = AT_ONCE,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < items.length && !signal?.aborted) await work(items[next++] as T);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

async function inProcess<T extends object | string, M>(
  share: readonly T[],
  { module, onMessage, env = {}, signal }: Work<T, M>,
): Promise<void> {
  const child = fork(ownModule('src/drill/worker'), [module], { env: { ...process.env, ...env } });
  const stop = () => child.kill();
  signal?.addEventListener('abort', stop);
  child.on('message', (message) => onMessage(message as M));
  child.send([...share]);
  const [code, ended] = (await once(child, 'exit')) as [number | null, string | null];
  signal?.removeEventListener('abort', stop);
  if (code !== 0 && !signal?.aborted) throw new Error(`a drill process exited with ${ended ?? `code ${code}`}`);
}
