import { type CallingSession, idIn, READ_ONCE, untilSeen } from '../call/index.ts';
import { type Exchange, mentions } from '../http/index.ts';
import { operation as entryOf, type OperationId } from '../service/index.ts';
import { outcomeOf, type ServiceUnderTest } from '../verdict/index.ts';

/** Minimum number of reads of a list that may lag behind, however slow this machine is. */
const LEAST_READS = 3;

export interface Shown {
  /** The response that was read: a list or a profile. */
  readonly list: Exchange;
  readonly isShown: boolean;
  /** Appended to messages if the list was read only once. */
  readonly note?: string;
}

export function shows({ response }: Exchange, args: unknown): boolean {
  const id = idIn(args);
  const json = response?.body.json;
  return id !== undefined && json?.ok === true && mentions(json.value, id, true);
}

/** Whether a 404 for a list means that the list has no entries, because this service is known to respond so. */
export function isKnownEmpty(list: Exchange, { context }: CallingSession, { successWhen }: ServiceUnderTest): boolean {
  return outcomeOf(list, successWhen).isNoEntries && context.circumstances?.knowsNoEntries(list) === true;
}

/** Reads the list that shows a change; `undefined` if no list shows it, or the list can't be read. */
export async function readShown(
  session: CallingSession,
  target: ServiceUnderTest,
  { change, args }: { readonly change: OperationId; readonly args: unknown },
): Promise<Shown | undefined> {
  const { shownBy } = entryOf(change);
  if (!shownBy) return undefined;
  const reading = entryOf(shownBy as OperationId);
  const segments = reading.isPaged ? target.blockListSegments : undefined;
  const list = await session.exchange(reading, segments, new Map(), 'success');
  if (isKnownEmpty(list, session, target)) return { list, isShown: false };
  return outcomeOf(list, target.successWhen).isAccepted ? { list, isShown: shows(list, args) } : undefined;
}

/** Like `readShown`, but waits up to CONSISTENCY_TIMEOUT_MS until a list that lags behind no longer shows the change. */
export function readForgotten(...args: Parameters<typeof readShown>): Promise<Shown | undefined> {
  const [session, target] = args;
  return untilForgotten(session, target, () => readShown(...args));
}

/** Repeats the read while its response still shows a change that was undone, up to CONSISTENCY_TIMEOUT_MS. */
export async function untilForgotten(
  { context: { signal, awaitedChanges } }: CallingSession,
  { consistencyTimeoutMs: ms }: ServiceUnderTest,
  read: () => Promise<Shown | undefined>,
): Promise<Shown | undefined> {
  const limit = { ms, leastReads: LEAST_READS, signal };
  const { last, isReadOnce } = await untilSeen(awaitedChanges, limit, read, (seen) => ({
    isAwaited: seen?.isShown === true,
    what: seen ? [`${seen.list.operation} forgets`] : [],
  }));
  return last && isReadOnce ? { ...last, note: `, ${READ_ONCE}` } : last;
}
