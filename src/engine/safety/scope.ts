import type { Note, ScenarioStep, ServiceUnderTest } from '../../client/index.ts';
import type { OperationId } from '../../spec/index.ts';

const RESTORES = Symbol('restores what was there before');

/** Arguments that restore what was there before: sending them is not a change to undo. No request shows the mark. */
export function asRestoration<T>(args: T): T {
  if (typeof args !== 'object' || args === null) return args;
  return Object.defineProperty({ ...args }, RESTORES, { value: true });
}

export function isPutBack(args: unknown): boolean {
  return typeof args === 'object' && args !== null && RESTORES in args;
}

export interface Scope {
  readonly target: ServiceUnderTest;
  readonly undoLog: UndoLog;
  /** The environment's user with an id; `undefined` for a disposable user from the provisioner. */
  readonly roleOf: (userId: string) => ReversibleChange['as'] | undefined;
  readonly isMadeBySuite: (text: string) => boolean;
  readonly isInvented: (id: string) => boolean;
  /** An id that nobody knows, in the form of another. */
  readonly invent: (like: string) => string;
  /** Whether the scenario's body is over. */
  readonly isCleanUp: () => boolean;
  readonly noted: (note: Note) => void;
  /** Does what the spec doesn't ask for as a step of its own, which the result shows. */
  readonly step: <T>(at: ScenarioStep['at'], what: string, work: () => Promise<T>) => Promise<T>;
  readonly skipped: (reason: string) => Error;
}

export interface UndoRequest {
  readonly undo: OperationId;
  readonly args: unknown;
  readonly userId: string;
  readonly base: string;
}

export interface ReversibleChange extends UndoRequest {
  readonly change: OperationId;
  /** The user whose credentials undo it. */
  readonly as: 'caller' | 'friend';
}

export interface Recorded extends ReversibleChange {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A change that was sent: undos that are sent from then on may cover it. */
export interface SentChange extends Recorded {
  readonly by: 'this scenario' | 'another scenario' | 'an earlier run';
  /** It is certain that there is something to undo. */
  readonly isAccepted: boolean;
  /** Its undo was accepted, and nothing has shown yet that it worked. */
  readonly isUndone: boolean;
}

export interface UndoLog {
  /**
   * Records a change before it is sent; when this resolves, the record survives a kill and a power cut.
   * @throws SuiteFault when it could not be recorded, so the change must not be sent.
   */
  add(change: ReversibleChange): Promise<Recorded>;
  made(id: string, isAccepted: boolean): void;
  undone(id: string): void;
  /** The undo was seen to have worked, or the change was never made. */
  strike(id: string, because: string): void;
  /** The changes of this process and of runs that are over, as far as they are not struck. */
  sent(): readonly SentChange[];
  /** Changes that live runs have not undone yet, including this run's. */
  underWay(): readonly ReversibleChange[];
}

/** Whether a request undoes a change: the same undo, as the same user, to the same address. */
export function undoes(request: UndoRequest, change: UndoRequest): boolean {
  const key = ({ undo, args, userId, base }: UndoRequest) => JSON.stringify([undo, args, userId, base]);
  return key(request) === key(change);
}
