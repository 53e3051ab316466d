import { pollFor, Session } from '../../call/index.ts';
import type { Exchange } from '../../http/index.ts';
import {
  type Control,
  type ExperimentRequest,
  entryIn,
  formQuestionOf,
  type Look,
  lookOf,
  looksLike,
  NotAccepted,
  type OperationEntry,
  type Reaction,
  type Requests,
  reactionOf,
  type Success,
  type Twice,
  Undecided,
} from '../../questions/index.ts';
import { Secret } from '../../redaction/index.ts';
import { isKnownEmpty } from '../../safety/index.ts';
import { type CallableId, readProfile, undoneChange } from '../../service/index.ts';
import { friendOf, sampleArguments } from '../data/data-values.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import { Skipped } from '../specs/tags.ts';
import type { RequestBudget } from './request-budget.ts';
import { acceptedAmong, itemsToDelete } from './stored-items.ts';
import { pendingUndos, type Undo } from './survey-undo.ts';

/** The form of a clone that keeps its source's version label. A service accepts each label only once. */
const SOURCE_LABEL = 'source';

/** Collects samples of every response, from which a survey learns. */
export interface ResponseSamples {
  add(exchange: Exchange, rule: SessionTarget['successWhen']): void;
  successes(id: CallableId): readonly Success[];
}

type SessionTarget = Session['context']['target'];

const nothingLearned: ResponseSamples = { add: () => {}, successes: () => [] };

export interface ExperimentRunnerOptions {
  readonly world: WorldBasis;
  readonly session: Session;
  readonly budget: RequestBudget;
  /**
   * True if the experiments only check known facts, which happens in many runs. Without a provisioner, they then send nothing irreversible,
   * and use no data that is reserved for other runs.
   */
  readonly isSparing?: boolean;
  /** Exchanges of scenarios that were played before. If they deleted an item, the experiments need not delete another one. */
  readonly earlier?: readonly Exchange[];
  readonly samples?: ResponseSamples;
}

/** Sends the requests of experiments within the budget, and undoes all their changes at the end. */
export class ExperimentRunner implements Requests {
  readonly world: WorldBasis;
  readonly budget: RequestBudget;
  readonly session: Session;
  readonly environment: WorldBasis['environment'];
  readonly data: WorldBasis['data'];
  /** True if a provisioner creates the users and items, so that no real data can be harmed. */
  readonly isDisposable: boolean;
  /** The last accepted request of each operation. */
  readonly controls = new Map<string, Control>();
  readonly #rule: SessionTarget['successWhen'];
  readonly #given: Required<ExperimentRunnerOptions>;
  readonly #items: ReturnType<typeof itemsToDelete>;
  readonly #undos = pendingUndos();
  readonly #looks = new Map<string, Look[]>();
  readonly #refused = new Map<string, { readonly args: unknown; readonly responses: Twice }>();
  /** For each operation, the form in which the service accepted valid arguments. */
  readonly #takenForms = new Map<CallableId, string>();
  readonly #remembered = new Map<string, unknown>();
  readonly #sent: Exchange[] = [];

  readonly sent: Requests['sent'] = (id) => this.#sent.filter(({ operation: of }) => of === id);
  readonly pause: Requests['pause'] = (ms) => this.budget.pause(ms);
  readonly waitUntil: Requests['waitUntil'] = (...reading) =>
    pollFor({ ms: this.environment.consistencyTimeoutMs, pause: this.pause }, ...reading);
  readonly successes: Requests['successes'] = (id) => this.#given.samples.successes(id);
  readonly riskItem: Requests['riskItem'] = (experiment) => this.#items.risk(experiment);
  readonly acceptedBefore: Requests['acceptedBefore'] = (id) => acceptedAmong(id, this.#given.earlier, this.#rule);
  readonly isSpared: Requests['isSpared'] = (id) =>
    this.#given.isSparing && !this.isDisposable && this.entry(id).effect === 'irreversible';
  readonly refusedControl: Requests['refusedControl'] = (id) =>
    this.controls.has(id) ? undefined : this.#refused.get(id);
  readonly friendId = async () => (await friendOf(this.world)).id;
  readonly freshUsers: Requests['freshUsers'] = async (count) => (await this.world.provisioner())?.users(count);
  /** Undoes every change so far. */
  readonly tidy = () => this.#undos.undoAll(this.#sendUndo);
  readonly #sendUndo = async ({ operation: id, args, session: by, changes }: Undo): Promise<Exchange> => {
    this.budget.spent++;
    return by.exchange(this.entry(id), args, changes, 'settled');
  };

  constructor(options: ExperimentRunnerOptions) {
    this.#given = { samples: nothingLearned, isSparing: false, earlier: [], ...options };
    const { world, session, budget, isSparing } = this.#given;
    this.world = world;
    this.environment = world.environment;
    this.data = world.data;
    this.isDisposable = this.environment.provisionUrl !== undefined;
    this.budget = budget;
    this.session = session;
    this.#rule = this.environment.successWhen;
    this.#items = itemsToDelete(world, isSparing);
    const deleted = this.acceptedBefore('deleteItem');
    if (deleted) this.controls.set(deleted.exchange.operation, deleted);
  }

  entry(id: CallableId): OperationEntry {
    const entry = entryIn(this.environment, id);
    if (!entry) throw new Undecided('FRIEND_PROFILE_REQUEST is not set');
    return entry;
  }

  /**
   * Sends one request.
   * @throws SurveyEnded; Undecided if there is no response; SuiteFault if the suite may not send the request
   */
  async send(id: CallableId, args: unknown, request: ExperimentRequest = {}): Promise<Exchange> {
    const { changes = new Map(), session: by = await this.sessionFor(id), expected = 'settled' } = request;
    const exchange = await this.budget.send(() => by.exchange(this.entry(id), args, changes, expected));
    const { kind } = reactionOf(exchange, this.#rule, []);
    this.#undos.note(exchange, args, { session: by, changes }, kind);
    this.#sent.push(exchange);
    this.#given.samples.add(exchange, this.#rule);
    this.budget.assertAnswered(exchange);
    return exchange;
  }

  /** Returns valid arguments, and prepares the state for them, because not every service lets a user block or love twice. */
  async valid(id: CallableId): Promise<unknown> {
    if (id === readProfile.id) return { userId: this.session.caller.userId };
    if (id === 'deleteItem') return { id: await this.#items.take() };
    const args = await sampleArguments(this.world, id, this.formOf(id));
    await this.prepare(id, args);
    return args;
  }

  /**
   * Prepares the service for a request. If the request is a change, undoes earlier changes, which could make the service refuse it. If the
   * request is an undo, first makes the change that it undoes.
   */
  async prepare(id: CallableId, args: unknown): Promise<void> {
    if (this.entry(id).undo) await this.#undos.undoAll(this.#sendUndo);
    const change = undoneChange(id);
    if (change && !this.#undos.has(id, args, this.session)) await this.send(change, args);
  }

  /** Sends a valid request in a form that the service accepts. It is the control for invalid requests. @throws Undecided */
  async control(id: CallableId, args?: unknown): Promise<Exchange> {
    const given = args ?? (await this.valid(id));
    const sendValid = async (sent: unknown) => {
      const exchange = await this.send(id, sent, { expected: 'success' });
      return { exchange, sent, reaction: reactionOf(exchange, this.#rule, []) };
    };
    const first = await sendValid(given);
    // A version label can be used only once. So one accepted clone doesn't show that the service accepts the label of the source each time;
    // a second accepted clone does.
    const isUncertain =
      formQuestionOf(id)?.question === 'type-version' && !this.#takenForms.has(id) && this.formOf(id) === SOURCE_LABEL;
    let tried = isUncertain && first.reaction.kind === 'accepted' ? await sendValid(given) : first;
    for (const form of args === undefined ? this.#formsOf(id) : []) {
      if (tried.reaction.kind === 'accepted') break;
      const next = await sendValid(
        form === undefined ? await this.valid(id) : await sampleArguments(this.world, id, form),
      );
      if (next.reaction.kind !== 'accepted') continue;
      if (form !== undefined) this.#takenForms.set(id, form);
      tried = next;
    }
    const { exchange, sent, reaction } = tried;
    if (reaction.kind === 'accepted') {
      const form = this.formOf(id);
      if (args === undefined && form !== undefined) this.#takenForms.set(id, form);
      this.knows(id, exchange);
      this.controls.set(id, { exchange, args: sent });
      return exchange;
    }
    if (reaction.kind === 'refused' && args === undefined)
      this.#refused.set(id, { args: sent, responses: [exchange, (await sendValid(sent)).exchange] });
    const why = reaction.kind === 'refused' ? `refused with ${reaction.status}` : reaction.why;
    throw new NotAccepted(`a valid request was not accepted: ${why}`, [exchange]);
  }

  /**
   * The forms of an operation's arguments that may be tried besides the current one; none if the service has already accepted a form. A
   * deletion has no forms. Its list has one entry, `undefined`, which means: try another stored item of the environment.
   */
  #formsOf(id: CallableId): readonly (string | undefined)[] {
    if (id === 'deleteItem') return this.isDisposable ? [] : [undefined];
    if (this.#given.isSparing || this.#takenForms.has(id)) return [];
    return Object.keys(formQuestionOf(id)?.forms ?? {}).filter((form) => form !== this.formOf(id));
  }

  formOf(id: CallableId): string | undefined {
    const [first] = Object.keys(formQuestionOf(id)?.forms ?? {});
    return first && (this.#takenForms.get(id) ?? this.world.facts.formOf(id) ?? first);
  }

  /**
   * The session for an operation. A user may be able to make an irreversible change only once, so with a provisioner each request gets a fresh user.
   */
  async sessionFor(id: CallableId): Promise<Session> {
    const { effect, headerSet, request } = this.entry(id);
    const isOnce = effect === 'irreversible' && headerSet === 'user' && request !== undefined;
    return isOnce && this.isDisposable ? this.world.freshSession() : this.session;
  }

  /** Remembers the shape of an accepted response. There may be several shapes, because a list may be empty, or null. */
  knows(id: CallableId, exchange: Exchange): void {
    const look = lookOf(exchange);
    const known = this.#looks.get(id) ?? [];
    if (!known.some((other) => looksLike(other, look))) this.#looks.set(id, [...known, look]);
  }

  outcome(id: CallableId, exchange: Exchange): Reaction {
    return isKnownEmpty(exchange, this.session, this.environment)
      ? { kind: 'unclear', why: '404, as this service answers for a list without entries' }
      : reactionOf(exchange, this.#rule, this.#looks.get(id) ?? []);
  }

  async remembered<T>(what: string, find: () => Promise<T>): Promise<T> {
    if (!this.#remembered.has(what)) this.#remembered.set(what, await find());
    return this.#remembered.get(what) as T;
  }

  sessionOf({ userId, accessToken }: Parameters<Requests['sessionOf']>[0]): Session {
    const { context, caller } = this.session;
    const token = new Secret(accessToken);
    context.redactor.add(token);
    return new Session(context, { ...caller, userId, accessToken: token });
  }

  friendSession(): Promise<Session | undefined> {
    return this.world.session('friend').catch((error: unknown) => {
      if (error instanceof Skipped) return undefined;
      throw error;
    });
  }
}
