import { FileTrouble } from '../environment/files/index.ts';
import { counted, type Environment } from '../environment/index.ts';
import { areaIds } from '../service/index.ts';
import { assertJournalsWhole, leftoversOf } from './leftovers.ts';
import { areasHeldBy, type LockOptions, needsNoLock, takeUsers } from './lock/users-lock.ts';
import { describeLeft, describeUndone, type SweepOptions, stoppedText, sweep } from './sweep.ts';

export interface UsersRunOptions
  extends LockOptions,
    Omit<SweepOptions, 'areas' | 'forget' | 'keepsUnanswered' | 'say'> {
  /**
   * Lists the changes that were undone and those that remain, refuses a damaged journal, and waits for changes that may still be on their way.
   * Absent: only `doctor` lists the changes that remain.
   */
  readonly isReported?: boolean;
}

/** A run as the users of an environment: it has them for itself until `end`, which undoes what it left. */
export interface UsersRun {
  end(): Promise<void>;
}

/**
 * Begins a run that changes something as shared users: waits until they are free, and undoes what runs that were killed left behind.
 * @throws FileTrouble for a damaged journal; the abort error of `signal` while it waits
 */
export async function beginUsersRun(environment: Environment, options: UsersRunOptions): Promise<UsersRun> {
  if (needsNoLock(environment)) return { end: async () => {} };
  const { areas = areaIds, isReported = false, say, signal, ...rest } = options;
  const { name } = environment;
  const swept = { ...rest, say, signal, areas: areasHeldBy(areas) };
  const release = await takeUsers(environment, options);
  const end = async () => {
    try {
      if (signal?.aborted && isReported) return sayStopped();
      // A process that stays waits for one undo at its end, because perhaps nobody looks at the change that was on its way.
      const ofEnd = signal?.aborted ? AbortSignal.timeout(environment.requestTimeoutMs) : signal;
      const undone = await sweep(environment, { ...swept, signal: ofEnd, keepsUnanswered: true });
      const left = undone.filter(({ done }) => !done);
      if (isReported && left.length > 0)
        say(
          describeLeft(
            `${name}: ${counted(left.length, 'change')} could not be undone; the next run tries again.`,
            left,
          ),
        );
    } catch (error) {
      // No trouble with a file at the end may take the results away.
      if (!(error instanceof FileTrouble)) throw error;
      say(error.message);
    } finally {
      release();
    }
  };
  const sayStopped = () => {
    const left = leftoversOf(environment);
    if (left.length > 0) say(stoppedText(name, left));
  };
  try {
    const undone = await sweep(environment, { ...swept, keepsUnanswered: !isReported });
    if (isReported && undone.length > 0) say(describeUndone(name, undone));
    if (isReported) assertJournalsWhole(environment);
    return { end };
  } catch (error) {
    release();
    throw error;
  }
}

/** Does `work` as a run that changes something as shared users. What is part of it is given the run, and so waits for nobody. */
export async function withUsers<T>(
  environment: Environment,
  options: UsersRunOptions,
  work: (users: UsersRun) => Promise<T>,
): Promise<T> {
  const run = await beginUsersRun(environment, options);
  try {
    return await work(run);
  } finally {
    await run.end();
  }
}
