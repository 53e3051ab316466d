import { setTimeout as wait } from 'node:timers/promises';
import {
  type CallingSession,
  type Exchange,
  idIn,
  isNoEntries,
  judge,
  mentions,
  type ServiceUnderTest,
} from '../../client/index.ts';
import { operation as entryOf, type OperationId } from '../../spec/index.ts';

/** The wait between two reads of a list that may lag behind, in ms, and how often it is read at least, however slow this machine is. */
const POLL_MS = 100;
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
export function isKnownEmpty(list: Exchange, { context }: CallingSession): boolean {
  return isNoEntries(list) && context.circumstances?.knowsNoEntries(list) === true;
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
  if (isKnownEmpty(list, session)) return { list, isShown: false };
  return judge(list, 'success', target.successWhen) ? undefined : { list, isShown: shows(list, args) };
}

/** The same, once a list that lags behind has had CONSISTENCY_TIMEOUT_MS to forget the change. */
export function readForgotten(...args: Parameters<typeof readShown>): Promise<Shown | undefined> {
  const [session, target] = args;
  return untilForgotten(session, target, () => readShown(...args));
}

/** Reads again while it shows what should be gone, for as long as it may lag behind. */
export async function untilForgotten(
  { context: { signal } }: CallingSession,
  { consistencyTimeoutMs }: ServiceUnderTest,
  read: () => Promise<Shown | undefined>,
): Promise<Shown | undefined> {
  const since = performance.now();
  for (let reads = 1; ; reads++) {
    const found = await read();
    const isOver = performance.now() - since + POLL_MS > consistencyTimeoutMs;
    if (!found?.isShown || (isOver && reads >= LEAST_READS)) return found;
    await wait(POLL_MS, undefined, signal ? { signal } : {});
  }
}
