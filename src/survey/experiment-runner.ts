import { type Exchange, type Expected, header, RawBody, retryAfterMs, Secret, Session } from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import { sampleArguments, type WorldWithData } from '../scenario/index.ts';
import {
  type CallableId,
  type Method,
  type Operation,
  type OperationId,
  operation,
  operationIds,
  readProfile,
} from '../spec/index.ts';
import { SurveyEnded } from './ended.ts';
import { type Finding, Undecided } from './fact.ts';
import { type Look, lookOf, looksLike } from './look.ts';
import { type Reaction, reactionOf } from './reaction.ts';
import type { RequestBudget } from './request-budget.ts';
import { deletionAmong, MOST_ITEMS, SpareItems } from './spare-items.ts';
import { type Undo, undoKey, undoOf } from './survey-undo.ts';

/** Throttled so often in a row, or for longer than this, a survey ends and goes on another time. */
const MOST_THROTTLED = 5;
const LONGEST_WAIT_MS = 120_000;
/** So many requests in a row without an answer: nobody is there any more. */
const MOST_UNANSWERED = 3;

export interface ExperimentRequest {
  readonly changes?: ReadonlyMap<string, string | undefined>;
  readonly session?: Session;
  /** What should come of it; `settled` when absent, for most requests are spoiled on purpose. */
  readonly expected?: Expected;
  /** Another method than the operation's, and the effect that it might have. */
  readonly instead?: Pick<Operation, 'effect'> & { readonly method: Method };
}

/** A request that was accepted. */
export interface Control {
  readonly exchange: Exchange;
  readonly args: unknown;
}

export interface ExperimentRunnerOptions {
  readonly world: WorldWithData;
  readonly session: Session;
  readonly budget: RequestBudget;
  /** Only what can be taken back, and nothing that is kept for other runs: facts are held so, run after run. */
  readonly isSparing?: boolean;
  /** What the scenarios sent before: an item that they deleted need not be deleted again. */
  readonly earlier?: readonly Exchange[];
  /** Hears of every answer to a request of an operation's own method. */
  readonly onAnswer: (exchange: Exchange) => void;
}

/** Where experiments send: within the budget, patient when throttled, and with everything taken back at the end. */
export class ExperimentRunner {
  readonly world: WorldWithData;
  readonly session: Session;
  readonly budget: RequestBudget;
  readonly #onAnswer: ExperimentRunnerOptions['onAnswer'];
  readonly #undos = new Map<string, Undo>();
  readonly #looks = new Map<string, Look[]>();
  readonly #controls = new Map<string, Control>();
  readonly #left: string[] = [];
  readonly #items: SpareItems;
  readonly #isSparing: boolean;
  #unanswered = 0;

  constructor({ world, session, budget, onAnswer, isSparing = false, earlier = [] }: ExperimentRunnerOptions) {
    this.world = world;
    this.#isSparing = isSparing;
    this.#items = new SpareItems(world, isSparing ? 0 : MOST_ITEMS);
    const deleted = deletionAmong(earlier, world.environment.successWhen);
    if (deleted) this.#controls.set('deleteItem', deleted);
    this.session = session;
    this.budget = budget;
    this.#onAnswer = onAnswer;
  }

  get environment(): Environment {
    return this.world.environment;
  }

  /** The users are fresh and the items made for this: nothing that anybody needs can be harmed. */
  get isDisposable(): boolean {
    return this.environment.provisionUrl !== undefined;
  }

  /** A valid request would leave something for good, and isn't worth it. */
  isSpared(id: CallableId): boolean {
    return this.#isSparing && !this.isDisposable && this.entry(id).effect === 'irreversible';
  }

  /** The last request had an answer. */
  get isAnswering(): boolean {
    return this.#unanswered === 0;
  }

  entry(id: CallableId): Operation {
    if (id !== readProfile.id) return operation(id);
    if (!this.environment.readProfile) throw new Undecided('FRIEND_PROFILE_REQUEST is not set');
    return this.environment.readProfile;
  }

  /**
   * Sends one request.
   * @throws SurveyEnded, Undecided when there is no answer, SuiteFault when it may not be sent.
   */
  async send(id: CallableId, args: unknown, options: ExperimentRequest = {}): Promise<Exchange> {
    const { changes = new Map(), session = this.session, expected = 'settled', instead } = options;
    const entry = { ...this.entry(id), ...instead };
    for (let attempt = 1; ; attempt++) {
      await this.budget.take();
      const exchange = await session.exchange(entry, args, changes, expected);
      if (exchange.response?.status !== 429) {
        this.#heard(exchange, args, { changes, session, ...(instead ? { instead } : {}) });
        return exchange;
      }
      await this.#comeBack(exchange, attempt);
    }
  }

  /** Valid arguments, and the state in which they are valid: what is blocked or loved already can't be again everywhere. */
  async valid(id: CallableId): Promise<unknown> {
    if (id === readProfile.id) return { userId: (await this.world.value('caller')).id };
    if (id === 'deleteItem') return { id: await this.#item() };
    const args = await sampleArguments(this.world, id as OperationId);
    await this.prepare(id, args);
    return args;
  }

  /** Takes back what stands in the way of a change, and makes what its undo takes back. */
  async prepare(id: CallableId, args: unknown): Promise<void> {
    if (operation(id as OperationId).undo) this.#left.push(...(await this.#takeBack()));
    const change = operationIds.find((other) => operation(other).undo === id);
    if (!change || this.#undos.has(undoKey({ operation: id, args, session: this.session, changes: new Map() }))) return;
    await this.send(change, args);
  }

  /** An accepted request: what a spoiled one is compared with. @throws Undecided */
  async control(id: CallableId, args?: unknown): Promise<Exchange> {
    const sent = args ?? (await this.valid(id));
    const exchange = await this.send(id, sent, { expected: 'success' });
    const outcome = reactionOf(exchange, this.environment.successWhen, []);
    if (outcome.kind === 'accepted') {
      this.#remember(id, lookOf(exchange));
      this.#controls.set(id, { exchange, args: sent });
      return exchange;
    }
    const why = outcome.kind === 'refused' ? `refused with ${outcome.status}` : outcome.why;
    throw new Undecided(`a valid request was sent, and it was not accepted: ${why}`, [exchange]);
  }

  /** The last accepted request; `undefined` where there was none yet. */
  lastControl(id: CallableId): Control | undefined {
    return this.#controls.get(id);
  }

  outcome(id: CallableId, exchange: Exchange): Reaction {
    return reactionOf(exchange, this.environment.successWhen, this.#looks.get(id) ?? []);
  }

  /** Puts one of the environment's items at risk; it is kept for the next question if its deletion is refused. @throws Undecided */
  async withSpareItem(risk: (id: string) => Promise<Finding>): Promise<Finding> {
    const id = await this.#items.take();
    const finding = await risk(id);
    if (finding.answer !== 'accepted') this.#items.putBack(id);
    return finding;
  }

  /** Another user's session, whose token is masked from now on. */
  sessionOf({ userId, accessToken }: { readonly userId: string; readonly accessToken: string }): Session {
    const token = new Secret(accessToken);
    this.session.context.redactor.add(token);
    return new Session(this.session.context, { ...this.session.caller, userId, accessToken: token });
  }

  /** Takes back what was changed, last change first; gives what could not be. */
  async tidy(): Promise<string[]> {
    return [...this.#left.splice(0), ...(await this.#takeBack())];
  }

  #remember(id: CallableId, look: Look): void {
    const known = this.#looks.get(id) ?? [];
    if (!known.some((other) => looksLike(other, look))) this.#looks.set(id, [...known, look]);
  }

  async #takeBack(): Promise<string[]> {
    const left: string[] = [];
    for (const [key, { operation: id, args, session, changes }] of [...this.#undos].reverse()) {
      await this.budget.takeAnyway();
      const { response } = await session.exchange(this.entry(id), args, changes, 'settled');
      this.#undos.delete(key);
      if (!response || response.status >= 500 || response.status === 429) left.push(`${id} ${JSON.stringify(args)}`);
    }
    return left;
  }

  #heard(
    exchange: Exchange,
    args: unknown,
    sent: Required<Pick<ExperimentRequest, 'changes' | 'session'>> & ExperimentRequest,
  ): void {
    const by = { session: sent.session, changes: sent.changes };
    const undo = sent.instead ? undefined : undoOf(exchange.operation, args, by);
    const { kind } = reactionOf(exchange, this.environment.successWhen, []);
    if (undo && kind !== 'refused') this.#undos.set(undoKey(undo), undo);
    if (kind === 'accepted' && !(args instanceof RawBody))
      this.#undos.delete(undoKey({ operation: exchange.operation, args, ...by }));
    if (exchange.response) {
      this.#unanswered = 0;
      if (!sent.instead) this.#onAnswer(exchange);
      return;
    }
    const { reason = 'unknown', phase = 'processing' } = exchange.failure ?? {};
    if (++this.#unanswered >= MOST_UNANSWERED)
      throw new SurveyEnded('unreachable', `${new URL(exchange.request.url).origin}: no answer in ${phase}: ${reason}`);
    throw new NoAnswer(`no answer in ${phase}: ${reason}`, [exchange]);
  }

  async #comeBack({ operation: id, response }: Exchange, attempt: number): Promise<void> {
    const value = response && header(response, 'retry-after');
    const asked = value === undefined ? undefined : retryAfterMs(value, Date.now());
    const pause = asked ?? 1_000 * 2 ** (attempt - 1);
    if (attempt >= MOST_THROTTLED || pause > LONGEST_WAIT_MS)
      throw new SurveyEnded('throttled', `${id} answers 429${asked ? `, to come back after ${asked / 1_000} s` : ''}`);
    await this.budget.pause(pause);
  }

  async #item(): Promise<string> {
    const provisioner = await this.world.provisioner();
    if (!provisioner) return this.#items.take();
    const [id] = await provisioner.items(this.session.caller.userId, 1);
    return id as string;
  }
}

/** The service may be about to go: a question that ends so is asked again when the survey goes on. */
export class NoAnswer extends Undecided {}
