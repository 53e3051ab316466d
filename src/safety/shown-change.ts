import { type CallingSession, idIn, READ_ONCE, untilSeen } from '../call/index.ts';
import { type Exchange, mentions } from '../http/index.ts';
import { operation as entryOf, type OperationId } from '../service/index.ts';
import { outcomeOf, type ServiceUnderTest } from '../verdict/index.ts';

/** How often a list that may lag behind is read at least, however slow this machine is. */
const LEAST_READS = 3;

export interface Shown {
  /** The response that was read, of a list or of a profile. */
  readonly list: Exchange;
  readonly isShown: boolean;
  /** Said where it was not read again. */
  readonly note?: string;
}

export function shows({ response }: Exchange, args: unknown): boolean {
  const id = idIn(args);
  const json = response?.body.json;
  return id !== undefined && json?.ok === true && mentions(json.value, id, true);
}

/** Whether a list that is not found has no entries, as it was seen before. */
export function isKnownEmpty(list: Exchange, { context }: CallingSession, { successWhen }: ServiceUnderTest): boolean {
  return outcomeOf(list, successWhen).isNoEntries && context.circumstances?.knowsNoEntries(list) === true;
}

/** Reads what lists a change; `undefined` where nothing does, or the list can't be read. */
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

/** The same, once a list that lags behind has had CONSISTENCY_TIMEOUT_MS to forget the change. */
export function readForgotten(...args: Parameters<typeof readShown>): Promise<Shown | undefined> {
  const [session, target] = args;
  return untilForgotten(session, target, () => readShown(...args));
}

/** Reads again while the response shows what was undone, for as long as a list may lag behind. */
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
