import type { Session } from '../../call/index.ts';
import type { Exchange } from '../../http/index.ts';
import type { CallableId, Operation } from '../../service/index.ts';
import type { Expected, ServiceUnderTest } from '../../verdict/index.ts';
import type { Reaction, Twice } from './reaction.ts';

export type OperationEntry = Operation & { readonly id: CallableId };
export type Body = Readonly<Record<string, unknown>>;

/** The answer to a question, and the exchanges that show it. */
export interface Answer {
  readonly answer: string;
  readonly seen: readonly Exchange[];
  /** How the control ended: the valid request next to which a changed one was judged. */
  readonly control?: 'accepted' | 'refused';
}

/** The experiment doesn't decide the question; the message says what was tried. */
export class Undecided extends Error {
  override readonly name = 'Undecided';
  readonly seen: readonly Exchange[];

  constructor(tried: string, seen: readonly Exchange[] = []) {
    super(tried);
    this.seen = seen;
  }
}

/** The service doesn't accept a valid request, the first of `seen`. */
export class NotAccepted extends Undecided {}

export interface ExperimentRequest {
  readonly changes?: ReadonlyMap<string, string | undefined>;
  readonly session?: Session;
  /** The expected outcome; default `settled`, because most requests are invalid on purpose. */
  readonly expected?: Expected;
}

export interface Control {
  readonly exchange: Exchange;
  readonly args: unknown;
}

/** The data of an environment that experiments use. */
export interface AskedEnvironment extends ServiceUnderTest {
  readonly friend: { readonly userId?: string };
  readonly data: {
    readonly otherUserIds: readonly string[];
    readonly storedItemIds: readonly string[];
    readonly reportLanguage?: string;
    readonly flagKey?: string;
  };
}

export interface AskedData {
  id(): string;
  text(): string;
  /** An id that nobody has, in the form of `example`. */
  idLike(example?: string): string;
  wrongCredential(): string;
  context(): Readonly<Record<string, string>>;
}

interface User {
  readonly userId: string;
  readonly accessToken: string;
}

/**
 * Sends the requests of experiments: within a budget, waiting when throttled, undoing what it changed. A survey has one for all questions,
 * a run has one for each question that it asks itself.
 */
export interface Requests {
  readonly environment: AskedEnvironment;
  readonly data: AskedData;
  /** The caller's session. */
  readonly session: Session;
  /** Users and items are provisioned, so that no real data can be harmed. */
  readonly isDisposable: boolean;
  /** The last accepted request of each operation. */
  readonly controls: ReadonlyMap<string, Control>;
  /** All requests of an operation so far. */
  sent(id: CallableId): readonly Exchange[];
  /** @throws Undecided where the environment doesn't know the operation. */
  entry(id: CallableId): OperationEntry;
  /** @throws Undecided without a response; whatever says that it may not be sent. */
  send(id: CallableId, args: unknown, request?: ExperimentRequest): Promise<Exchange>;
  /** Valid arguments, in the form that is known or was accepted, and the state for them. */
  valid(id: CallableId): Promise<unknown>;
  /** Undoes a state that prevents a change, and creates the state that an undo needs. */
  prepare(id: CallableId, args: unknown): Promise<void>;
  /** Sends a valid request, the control for invalid ones. @throws Undecided if it isn't accepted. */
  control(id: CallableId, args?: unknown): Promise<Exchange>;
  /** Reads until `holds`, for CONSISTENCY_TIMEOUT_MS at most. */
  waitUntil(
    read: () => Promise<Exchange>,
    holds: (exchange: Exchange) => boolean,
  ): Promise<{ readonly last: Exchange; readonly held: boolean }>;
  pause(ms: number): Promise<void>;
  /** With a provisioner, a fresh user for what a user can do only once; otherwise the caller. */
  sessionFor(id: CallableId): Promise<Session>;
  /** Another user's session, with its token masked from now on. */
  sessionOf(user: User): Session;
  /** The second user's session; `undefined` where the environment has none. */
  friendSession(): Promise<Session | undefined>;
  /** An existing user other than the caller. @throws what says that the environment has none. */
  friendId(): Promise<string>;
  /** Fresh users; `undefined` without a provisioner. */
  freshUsers(count: number): Promise<readonly User[] | undefined>;
  /** Remembers how an accepted response looks: a list may be empty, or null. */
  knows(id: CallableId, exchange: Exchange): void;
  /** Whether to avoid valid requests, because their effect is permanent. */
  isSpared(id: CallableId): boolean;
  /** Risks a stored item of the environment; it stays for the next question if its deletion is refused. */
  riskItem(experiment: (id: string) => Promise<Answer>): Promise<Answer>;
  /** A valid request that was refused, sent twice; `undefined` if one was accepted, or none was sent. */
  refusedControl(id: CallableId): { readonly args: unknown; readonly responses: Twice } | undefined;
  outcome(id: CallableId, exchange: Exchange): Reaction;
  /** An accepted request of the scenarios before a survey, of a user and for data that are the same. */
  acceptedBefore(id: CallableId): Control | undefined;
  /** The form of an operation's arguments that is known or was accepted; `undefined` if there are no others. */
  formOf(id: CallableId): string | undefined;
  /** A finding that several questions need: `find` runs once. */
  remembered<T>(what: string, find: () => Promise<T>): Promise<T>;
  /** The successes of an operation so far, by status, and their shape in words. */
  successes(id: CallableId): readonly Success[];
}

export interface Success {
  readonly status: string;
  readonly firstAt: number;
  readonly samples: number;
  /** `{userId: string}[]`; `undefined` if there were bodies that aren't JSON. */
  readonly shape: string | undefined;
}

/** One question about one operation, and the requests that may answer it; `subject` is `name` in `required-field:name`. */
export interface Asker {
  readonly requests: Requests;
  readonly entry: OperationEntry;
  readonly id: CallableId;
  readonly subject: string;
  /** Whether each valid request deletes a real item. */
  readonly takesRealItem: boolean;
  valid(): Promise<Body>;
  send(args: unknown, request?: ExperimentRequest): Promise<Exchange>;
  /** The same request twice, to see what differs between two responses. */
  twice(args: () => unknown): Promise<Twice>;
  /** Sends an invalid request: its outcome is the answer. @throws Undecided */
  sendInvalid(args: unknown, request?: ExperimentRequest): Promise<Answer>;
  outcome(exchange: Exchange): Reaction;
  /** The same, of a request in words. @throws Undecided where it is unclear. */
  clearly(exchange: Exchange, sent?: string): Exclude<Reaction, { readonly kind: 'unclear' }>;
  /**
   * The outcome of an invalid request, next to an accepted valid one. Next to a refused one (a story is reported already), only
   * another refusal counts: it comes from a check that is made before. @throws Undecided
   */
  cameOut(exchange: Exchange): Answer;
  /**
   * The valid request that is about to be changed: the very one that was sent as the control. Another one where it can be made only once.
   * @throws Undecided
   */
  toChange(): Promise<Body>;
  control(args?: unknown): Promise<Exchange>;
  lastControl(): Control | undefined;
  /** Makes sure that a valid request is accepted, once; skipped if each request has a cost. */
  withControl(): Promise<Exchange | undefined>;
  /** As `withControl`, but a known refusal of a valid request is enough, because `cameOut` compares with that refusal. */
  withComparison(): Promise<void>;
}
