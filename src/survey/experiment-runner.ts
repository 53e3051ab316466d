import {
  type Exchange,
  type Expected,
  formsOf,
  header,
  RawBody,
  retryAfterMs,
  Secret,
  Session,
} from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import { sampleArguments, type World } from '../scenario/index.ts';
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
import { Undecided } from './fact.ts';
import { lookOf, type Reaction, reactionOf } from './reaction.ts';
import type { RequestBudget } from './request-budget.ts';
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
  readonly world: World;
  readonly session: Session;
  readonly budget: RequestBudget;
  /** Hears of every answer to a request of an operation's own method. */
  readonly onAnswer: (exchange: Exchange) => void;
}

/** Where experiments send: within the budget, patient when throttled, and with everything taken back at the end. */
export class ExperimentRunner {
  readonly world: World;
  readonly session: Session;
  readonly budget: RequestBudget;
  readonly #onAnswer: ExperimentRunnerOptions['onAnswer'];
  readonly #undos = new Map<string, Undo>();
  readonly #looks = new Map<string, Set<string>>();
  readonly #controls = new Map<string, Control>();
  readonly #left: string[] = [];
  #isItemUsed = false;
  #unanswered = 0;

  constructor({ world, session, budget, onAnswer }: ExperimentRunnerOptions) {
    this.world = world;
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
    const { sent, exchange } = await this.#inForm(id, args ?? (await this.valid(id)));
    const outcome = reactionOf(exchange, this.environment.successWhen, []);
    if (outcome.kind === 'accepted') {
      this.#looks.set(id, (this.#looks.get(id) ?? new Set()).add(lookOf(exchange)));
      this.#controls.set(id, { exchange, args: sent });
      return exchange;
    }
    const why = outcome.kind === 'refused' ? `refused with ${outcome.status}` : outcome.why;
    throw new Undecided(`a valid request was sent, and it was not accepted: ${why}`, [exchange]);
  }

  /**
   * Sends a valid request, in another form too where the first is refused. A version label that was free is not free again, so
   * a clone's form is only certain when it is accepted twice.
   */
  async #inForm(id: CallableId, sent: unknown): Promise<{ readonly sent: unknown; readonly exchange: Exchange }> {
    const accepts = (exchange: Exchange) => reactionOf(exchange, this.environment.successWhen, []).kind === 'accepted';
    let exchange = await this.send(id, sent, { expected: 'success' });
    const forms = formsOf(sent);
    const isUncertain = id === 'cloneType' && this.world.readings.of({ question: 'typeVersion' }) === undefined;
    if (isUncertain && accepts(exchange)) exchange = await this.send(id, sent, { expected: 'success' });
    if (accepts(exchange)) return { sent, exchange };
    for (const { args, taken } of forms) {
      const other = await this.send(id, args, { expected: 'success' });
      if (!accepts(other)) continue;
      taken();
      return { sent: args, exchange: other };
    }
    return { sent, exchange };
  }

  /** The last accepted request; `undefined` where there was none yet. */
  lastControl(id: CallableId): Control | undefined {
    return this.#controls.get(id);
  }

  outcome(id: CallableId, exchange: Exchange): Reaction {
    return reactionOf(exchange, this.environment.successWhen, [...(this.#looks.get(id) ?? [])]);
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
    if (!provisioner) {
      // What was deleted is refused for being gone, which would be taken for an answer to the question.
      if (this.#isItemUsed) throw new Undecided('each request needs an item of its own: PROVISION_URL');
      this.#isItemUsed = true;
      return (await this.world.value('storedItem')).id;
    }
    const [id] = await provisioner.items(this.session.caller.userId, 1);
    return id as string;
  }
}

/** The service may be about to go: a question that ends so is asked again when the survey goes on. */
export class NoAnswer extends Undecided {}
