import { type CallingSession, idIn, pollFor } from '../call/index.ts';
import { type Exchange, mentions } from '../http/index.ts';
import { operation as entryOf, type OperationId } from '../service/index.ts';
import { outcomeOf, type ServiceUnderTest } from '../verdict/index.ts';

/** How often a list that may lag behind is read at least, however slow this machine is. */
const LEAST_READS = 3;

export interface Shown {
  /** The response that was read, of a list or of a profile. */
  readonly list: Exchange;
  readonly isShown: boolean;
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
  const [session, target, { change }] = args;
  return untilForgotten(session, target, undoOf(change), () => readShown(...args));
}

function undoOf(change: OperationId): OperationId {
  return (entryOf(change).undo ?? change) as OperationId;
}

/** After so many full waits without success a run no longer waits for an undo: each scenario would take as long again. */
const MOST_WAITS = 3;

/**
 * Reads again while the response shows what `undo` should have removed, for as long as a list may lag behind. It reads once while the undo is
 * known not to work in this run.
 */
export async function untilForgotten(
  { context: { signal, awaitedUndos } }: CallingSession,
  { consistencyTimeoutMs }: ServiceUnderTest,
  undo: OperationId,
  read: () => Promise<Shown | undefined>,
): Promise<Shown | undefined> {
  const before = awaitedUndos?.all().filter((each) => each.undo === undo) ?? [];
  const unseen = before.length - 1 - before.findLastIndex(({ isSeen }) => isSeen);
  const isAwaited = unseen < MOST_WAITS;
  const limit = { ms: isAwaited ? consistencyTimeoutMs : 0, leastReads: isAwaited ? LEAST_READS : 1, signal };
  const { last, held } = await pollFor(limit, read, (found) => !found?.isShown);
  if (held ? last && unseen > 0 : isAwaited) awaitedUndos?.add({ undo, isSeen: held });
  return last;
}
