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
  /** The expected outcome. Default: `settled` (any response but a 5xx), because most requests are invalid on purpose. */
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
 * Sends the requests of experiments. It stays within a budget of requests, waits if the service throttles, and undoes all changes. A survey
 * uses one object for all its questions.
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
  /**
   * Prepares the service for a request. Undoes earlier changes, because of which the service could refuse the request. If the request is an
   * undo, first makes the change that it undoes.
   */
  prepare(id: CallableId, args: unknown): Promise<void>;
  /** Sends a valid request, with which invalid ones are compared. @throws Undecided if it isn't accepted */
  control(id: CallableId, args?: unknown): Promise<Exchange>;
  /** Reads until `holds` is true, for CONSISTENCY_TIMEOUT_MS at most. */
  waitUntil(
    read: () => Promise<Exchange>,
    holds: (exchange: Exchange) => boolean,
  ): Promise<{ readonly last: Exchange; readonly held: boolean }>;
  pause(ms: number): Promise<void>;
  /**
   * The session for an operation: usually the caller's. If a user can make the change only once and a provisioner exists, the session of a
   * fresh user.
   */
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
  /** Whether experiments must send no valid request to an operation, because its effect is permanent. */
  isSpared(id: CallableId): boolean;
  /** Runs an experiment that may delete a stored item. If the service doesn't delete the item, the next experiment uses it again. */
  riskItem(experiment: (id: string) => Promise<Answer>): Promise<Answer>;
  /**
   * The valid request that the service refused, with the responses to it and to its repetition; `undefined` if a valid request was
   * accepted, or none was sent.
   */
  refusedControl(id: CallableId): { readonly args: unknown; readonly responses: Twice } | undefined;
  outcome(id: CallableId, exchange: Exchange): Reaction;
  /** An accepted request that a scenario sent before the survey, for the same user and the same data. */
  acceptedBefore(id: CallableId): Control | undefined;
  /**
   * The form in which to send valid arguments: the form that the service has already accepted, else the form in a fact, else the first
   * form. `undefined` if the operation has only one form.
   */
  formOf(id: CallableId): string | undefined;
  /** Returns a finding that several questions need. `find` runs only the first time. */
  remembered<T>(what: string, find: () => Promise<T>): Promise<T>;
  /** The accepted responses to an operation so far, with one entry for each status. */
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
  /** Sends an invalid request. The answer to the question is the outcome of this request. @throws Undecided */
  sendInvalid(args: unknown, request?: ExperimentRequest): Promise<Answer>;
  outcome(exchange: Exchange): Reaction;
  /**
   * Returns the outcome of a response. @throws Undecided if the outcome is unclear; the message then begins with `sent`, words for the
   * request.
   */
  clearly(exchange: Exchange, sent?: string): Exclude<Reaction, { readonly kind: 'unclear' }>;
  /**
   * Derives the answer from the response to an invalid request. If the service refuses the valid request, too (a story was reported
   * before), only a refusal of another kind is an answer: it shows that the service has found the mistake first. @throws Undecided if there
   * is no answer
   */
  cameOut(exchange: Exchange): Answer;
  /**
   * The arguments of a valid request, to which an experiment makes its change; also creates the state that they need. For an irreversible
   * operation they are new, for any other operation they are those of the control. @throws Undecided
   */
  toChange(): Promise<Body>;
  control(args?: unknown): Promise<Exchange>;
  lastControl(): Control | undefined;
  /** Sends a valid request. Sends none if the service has accepted one before, or if its effect would be permanent (`isSpared`). */
  withControl(): Promise<Exchange | undefined>;
  /** Like `withControl`, but doesn't fail if the service refuses the valid request, because `cameOut` can compare with a refusal, too. */
  withComparison(): Promise<void>;
}
