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
  /** How the service responded to the control: the valid request without the change. */
  readonly control?: 'accepted' | 'refused';
}

/** The experiment can't answer the question. The message says what was tried. */
export class Undecided extends Error {
  override readonly name = 'Undecided';
  readonly seen: readonly Exchange[];

  constructor(tried: string, seen: readonly Exchange[] = []) {
    super(tried);
    this.seen = seen;
  }
}

/** The service didn't accept a valid request, whose response is the first of `seen`. */
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
  /** An id that nobody has, in the format of `example`. */
  idLike(example?: string): string;
  wrongCredential(): string;
  context(): Readonly<Record<string, string>>;
}

interface User {
  readonly userId: string;
  readonly accessToken: string;
}

/**
 * Sends the requests of experiments. It keeps to a budget, waits if the service throttles, and undoes all changes. A survey uses one object
 * for all questions, and a run creates one for each question that it asks itself.
 */
export interface Requests {
  readonly environment: AskedEnvironment;
  readonly data: AskedData;
  /** The caller's session. */
  readonly session: Session;
  /** True if a provisioner creates users and items, so that no real data can be harmed. */
  readonly isDisposable: boolean;
  /** The last accepted control of each operation, with its arguments. */
  readonly controls: ReadonlyMap<string, Control>;
  /** All exchanges of an operation so far. */
  sent(id: CallableId): readonly Exchange[];
  /** Looks up an operation. @throws Undecided if the environment lacks it */
  entry(id: CallableId): OperationEntry;
  /** Sends one request. @throws Undecided if there is no response, and errors that say why a request may not be sent */
  send(id: CallableId, args: unknown, request?: ExperimentRequest): Promise<Exchange>;
  /** Returns valid arguments in a form that the service accepts, as far as known, and creates the state that they need. */
  valid(id: CallableId): Promise<unknown>;
  /** Undoes a change that would prevent this one; for an undo, makes the change to undo. */
  prepare(id: CallableId, args: unknown): Promise<void>;
  /** Sends a valid request, with which invalid ones are compared. @throws Undecided if it isn't accepted */
  control(id: CallableId, args?: unknown): Promise<Exchange>;
  /** Reads until `holds` is true, for CONSISTENCY_TIMEOUT_MS at most. */
  waitUntil(
    read: () => Promise<Exchange>,
    holds: (exchange: Exchange) => boolean,
  ): Promise<{ readonly last: Exchange; readonly held: boolean }>;
  pause(ms: number): Promise<void>;
  /** The session for an operation: the caller's, or with a provisioner a fresh user's if a user can call the operation only once. */
  sessionFor(id: CallableId): Promise<Session>;
  /** The session of another user, whose token is masked from now on. */
  sessionOf(user: User): Session;
  /** The second user's session; `undefined` if the environment has no second user. */
  friendSession(): Promise<Session | undefined>;
  /** The id of an existing user other than the caller. @throws an error that names the missing keys if the environment has no such user */
  friendId(): Promise<string>;
  /** Fresh users; `undefined` without a provisioner. */
  freshUsers(count: number): Promise<readonly User[] | undefined>;
  /** Remembers the outline of an accepted response. An operation may have several outlines, because a list may be empty, or null. */
  knows(id: CallableId, exchange: Exchange): void;
  /** Whether to send no valid requests to an operation, because their effect is permanent. */
  isSpared(id: CallableId): boolean;
  /** Runs an experiment that may delete a stored item. If the service refuses the deletion, the item stays for the next question. */
  riskItem(experiment: (id: string) => Promise<Answer>): Promise<Answer>;
  /** A valid request that was refused, with its two responses; `undefined` if a valid request was accepted, or none was sent. */
  refusedControl(id: CallableId): { readonly args: unknown; readonly responses: Twice } | undefined;
  outcome(id: CallableId, exchange: Exchange): Reaction;
  /** An accepted request that a scenario sent before the survey, for the same user and the same data. */
  acceptedBefore(id: CallableId): Control | undefined;
  /** The form in which valid arguments are sent: an accepted one, that of a fact, or the first; `undefined` if there is only one form. */
  formOf(id: CallableId): string | undefined;
  /** Returns a finding that several questions need. `find` runs only the first time. */
  remembered<T>(what: string, find: () => Promise<T>): Promise<T>;
  /** The successes of an operation so far, one entry for each status. The shape of their bodies is in words. */
  successes(id: CallableId): readonly Success[];
}

export interface Success {
  readonly status: string;
  readonly firstAt: number;
  readonly samples: number;
  /** For example `{userId: string}[]`; `undefined` if some bodies are not JSON. */
  readonly shape: string | undefined;
}

/** Asks one question about one operation. `subject` is the part of the question's name after the colon: `name` in `required-field:name`. */
export interface Asker {
  readonly requests: Requests;
  readonly entry: OperationEntry;
  readonly id: CallableId;
  readonly subject: string;
  /** True if each valid request would delete a real item. */
  readonly takesRealItem: boolean;
  valid(): Promise<Body>;
  send(args: unknown, request?: ExperimentRequest): Promise<Exchange>;
  /** Sends the same request twice. Values that differ between the two responses mean nothing. */
  twice(args: () => unknown): Promise<Twice>;
  /** Sends an invalid request, whose outcome is the answer. @throws Undecided */
  sendInvalid(args: unknown, request?: ExperimentRequest): Promise<Answer>;
  outcome(exchange: Exchange): Reaction;
  /** The outcome, if it is clear; `sent` describes the request. @throws Undecided if the outcome is unclear. */
  clearly(exchange: Exchange, sent?: string): Exclude<Reaction, { readonly kind: 'unclear' }>;
  /**
   * The answer that an invalid request gives, compared with an accepted valid one. If the valid request is refused as well (a story was
   * reported before), only a different refusal counts, because it comes from an earlier check of the service. @throws Undecided
   */
  cameOut(exchange: Exchange): Answer;
  /**
   * The valid request to change, with the state that it needs: the control, or another request if the operation is irreversible.
   * @throws Undecided
   */
  toChange(): Promise<Body>;
  control(args?: unknown): Promise<Exchange>;
  lastControl(): Control | undefined;
  /** Makes sure that the service accepts a valid request, unless such requests must be avoided (`isSpared`). Sends at most one. */
  withControl(): Promise<Exchange | undefined>;
  /** Like `withControl`, but a refused valid request is enough, too, because `cameOut` compares with that refusal. */
  withComparison(): Promise<void>;
}
