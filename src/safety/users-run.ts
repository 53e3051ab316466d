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
   * Prints the changes that were undone and those that remain, refuses a damaged journal, and waits for changes that may still be on their
   * way. If absent, only `doctor` lists the changes that remain.
   */
  readonly isReported?: boolean;
}

/**
 * A run that acts as the users of an environment. No other run may act as them until `end`, which undoes the changes that this run left.
 */
export interface UsersRun {
  end(): Promise<void>;
}

/**
 * Begins a run that changes something as shared users. Waits until the users are free, and undoes the changes that killed runs left behind.
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
      // If a resident process is stopped, it still undoes changes instead of listing them, because perhaps nobody reads its messages. This
      // may take as long as one request.
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
      // A file error at the end must not lose the results of the run.
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

/**
 * Does `work` as a run that changes something as shared users. `work` passes the run on to its parts, so that they don't wait for the users
 * again.
 */
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
