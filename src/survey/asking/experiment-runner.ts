import { type Exchange, type Expected, nextFormOf, Secret, Session } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { sampleArguments, type WorldWithData } from '../../scenario/index.ts';
import {
  type CallableId,
  type Method,
  type Operation,
  type OperationId,
  operation,
  pathParameters,
  readProfile,
  shownByOutcomesOf,
  undoneChange,
} from '../../spec/index.ts';
import { Undecided } from '../facts/fact.ts';
import { Samples } from '../inference/samples.ts';
import { type Look, lookOf, looksLike, type Reaction, reactionOf, type Twice } from './reaction.ts';
import type { RequestBudget } from './request-budget.ts';
import { deletionAmong, isUsedUp, itemsToDelete } from './stored-items.ts';
import { PendingUndos } from './survey-undo.ts';

export interface ExperimentRequest {
  readonly changes?: ReadonlyMap<string, string | undefined>;
  readonly session?: Session;
  /** The expected outcome; default `settled`, because most requests are invalid on purpose. */
  readonly expected?: Expected;
  /** A method other than the operation's, and its possible effect. */
  readonly instead?: Pick<Operation, 'effect'> & { readonly method: Method };
}

export interface Control {
  readonly exchange: Exchange;
  readonly args: unknown;
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

export interface ExperimentRunnerOptions {
  readonly world: WorldWithData;
  readonly session: Session;
  readonly budget: RequestBudget;
  /** Only reversible effects, and no data reserved for other runs: for checking facts in every run. */
  readonly isSparing?: boolean;
  /** Exchanges of the scenarios: an item that they deleted need not be deleted again. */
  readonly earlier?: readonly Exchange[];
  readonly samples?: Samples;
}

/** Sends the requests of experiments: within the budget, waiting when throttled, and undoing everything at the end. */
export class ExperimentRunner {
  readonly world: WorldWithData;
  readonly session: Session;
  readonly budget: RequestBudget;
  readonly samples: Samples;
  readonly items: ReturnType<typeof itemsToDelete>;
  readonly #undos = new PendingUndos();
  readonly #looks = new Map<string, Look[]>();
  /** The last accepted request of each operation. */
  readonly controls = new Map<string, Control>();
  readonly #refused = new Map<string, Twice>();
  readonly #left: string[] = [];
  readonly #isSparing: boolean;

  constructor(options: ExperimentRunnerOptions) {
    const { world, session, budget, samples = new Samples(), isSparing = false, earlier = [] } = options;
    this.world = world;
    this.#isSparing = isSparing;
    this.items = itemsToDelete(world, session.caller.userId, isSparing);
    const deleted = deletionAmong(earlier, world.environment.successWhen);
    if (deleted) this.controls.set(deleted.exchange.operation, deleted);
    this.session = session;
    this.budget = budget;
    this.samples = samples;
  }

  get environment(): Environment {
    return this.world.environment;
  }

  /** Whether users and items are provisioned, so that no real data can be harmed. */
  get isDisposable(): boolean {
    return this.environment.provisionUrl !== undefined;
  }

  /** Whether to avoid valid requests, because their effect is permanent. */
  isSpared(id: CallableId): boolean {
    return this.#isSparing && !this.isDisposable && this.entry(id).effect === 'irreversible';
  }

  entry(id: CallableId): Operation {
    if (id !== readProfile.id) return operation(id);
    if (!this.environment.readProfile) throw new Undecided('FRIEND_PROFILE_REQUEST is not set');
    return this.environment.readProfile;
  }

  /**
   * Sends one request.
   * @throws SurveyEnded, Undecided without a response, SuiteFault if it may not be sent.
   */
  async send(id: CallableId, args: unknown, options: ExperimentRequest = {}): Promise<Exchange> {
    const { changes = new Map(), session = await this.sessionFor(id), expected = 'settled', instead } = options;
    const entry = { ...this.entry(id), ...instead };
    const exchange = await this.budget.send(() => session.exchange(entry, args, changes, expected));
    const { kind } = reactionOf(exchange, this.environment.successWhen, []);
    // The effect of another method is unknown, so it can't be undone.
    if (instead) this.#undos.strike(exchange.operation, args, { session, changes }, kind);
    else this.#undos.note(exchange, args, { session, changes }, kind);
    if (!instead) this.samples.add(exchange, this.environment.successWhen);
    this.budget.assertAnswered(exchange);
    return exchange;
  }

  /** Valid arguments, and the state for them: not every service lets a user block or love twice. */
  async valid(id: CallableId): Promise<unknown> {
    if (id === readProfile.id) return { userId: (await this.world.value('caller')).id };
    if (isUsedUp(id)) return { [pathParameters(this.entry(id).path)[0] as string]: await this.items.take() };
    const args = await sampleArguments(this.world, id as OperationId);
    await this.prepare(id, args);
    return args;
  }

  /** Undoes a state that prevents a change, and creates the state that an undo needs. */
  async prepare(id: CallableId, args: unknown): Promise<void> {
    if (operation(id as OperationId).undo) this.#left.push(...(await this.#undoAll()));
    const change = undoneChange(id);
    if (!change || this.#undos.has(id, args, this.session)) return;
    await this.send(change, args);
  }

  /** Sends a valid request, the control for invalid ones, in the form that is accepted. @throws Undecided */
  async control(id: CallableId, args?: unknown): Promise<Exchange> {
    const valid = args ?? (await this.valid(id));
    const send = async (sent: unknown) => {
      const exchange = await this.send(id, sent, { expected: 'success' });
      return { exchange, sent, reaction: reactionOf(exchange, this.environment.successWhen, []) };
    };
    const first = await send(valid);
    // A version label can be used only once, so a clone's form is certain only if it is accepted twice.
    const isUncertain =
      id === shownByOutcomesOf('typeVersion') && this.world.readings.of({ question: 'typeVersion' }) === undefined;
    let tried = isUncertain && first.reaction.kind === 'accepted' ? await send(valid) : first;
    const nextForm = nextFormOf(valid);
    while (tried.reaction.kind !== 'accepted') {
      const form = await nextForm?.(tried.exchange);
      if (!form) break;
      const next = await send(form.args);
      if (next.reaction.kind !== 'accepted') continue;
      form.taken();
      tried = next;
    }
    const { exchange, sent, reaction } = tried;
    if (reaction.kind === 'accepted') {
      this.knows(id, exchange);
      this.controls.set(id, { exchange, args: sent });
      return exchange;
    }
    if (reaction.kind === 'refused' && args === undefined)
      this.#refused.set(id, [exchange, (await send(sent)).exchange]);
    const why = reaction.kind === 'refused' ? `refused with ${reaction.status}` : reaction.why;
    throw new Undecided(`a valid request was not accepted: ${why}`, [exchange]);
  }

  /** The refusal of a valid request, sent twice; `undefined` if one was accepted, or none was sent. */
  refusedControl(id: CallableId): Twice | undefined {
    return this.controls.has(id) ? undefined : this.#refused.get(id);
  }

  outcome(id: CallableId, exchange: Exchange): Reaction {
    return reactionOf(exchange, this.environment.successWhen, this.#looks.get(id) ?? []);
  }

  /**
   * Reads until `holds`, for CONSISTENCY_TIMEOUT_MS at most. `reads` is 1 if it held at once; `waitedMs` is the time from the start
   * to the response in which it held.
   */
  async waitUntil(read: () => Promise<Exchange>, holds: (exchange: Exchange) => boolean) {
    const start = performance.now();
    for (let reads = 1, pause = FIRST_PAUSE_MS; ; reads++, pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const last = await read();
      const waitedMs = performance.now() - start;
      const held = holds(last);
      if (held || waitedMs + pause > this.environment.consistencyTimeoutMs) return { last, held, reads, waitedMs };
      await this.budget.pause(pause);
    }
  }

  /** A user may be able to do something lasting only once: with a provisioner, a fresh one does it each time. */
  async sessionFor(id: CallableId): Promise<Session> {
    const { effect, headerSet, request } = this.entry(id);
    const isOnce = effect === 'irreversible' && headerSet === 'user' && request !== undefined;
    return isOnce && this.isDisposable ? this.world.freshSession() : this.session;
  }

  /** Another user's session, with its token masked from now on. */
  sessionOf({ userId, accessToken }: { readonly userId: string; readonly accessToken: string }): Session {
    const token = new Secret(accessToken);
    this.session.context.redactor.add(token);
    return new Session(this.session.context, { ...this.session.caller, userId, accessToken: token });
  }

  /** Undoes all changes, last first; returns those that failed. */
  async tidy(): Promise<string[]> {
    return [...this.#left.splice(0), ...(await this.#undoAll())];
  }

  /** Remembers how an accepted response looks: a list may be empty, or null. */
  knows(id: CallableId, exchange: Exchange): void {
    const look = lookOf(exchange);
    const known = this.#looks.get(id) ?? [];
    if (!known.some((other) => looksLike(other, look))) this.#looks.set(id, [...known, look]);
  }

  #undoAll(): Promise<string[]> {
    return this.#undos.undoAll(async ({ operation: id, args, session, changes }) => {
      await this.budget.turn();
      return session.exchange(this.entry(id), args, changes, 'settled');
    });
  }
}
