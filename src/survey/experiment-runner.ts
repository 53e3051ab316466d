import { type Exchange, type Expected, formsOf, Secret, Session } from '../client/index.ts';
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
import { type Finding, Undecided } from './fact.ts';
import { type Look, lookOf, looksLike } from './look.ts';
import { PatientSender } from './patient-sender.ts';
import { type Reaction, reactionOf } from './reaction.ts';
import type { RequestBudget } from './request-budget.ts';
import { deletionAmong, MOST_ITEMS, SpareItems } from './spare-items.ts';
import { PendingUndos } from './survey-undo.ts';

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
  readonly #sender: PatientSender;
  readonly #undos = new PendingUndos();
  readonly #looks = new Map<string, Look[]>();
  readonly #controls = new Map<string, Control>();
  readonly #left: string[] = [];
  readonly #items: SpareItems;
  readonly #isSparing: boolean;

  constructor({ world, session, budget, onAnswer, isSparing = false, earlier = [] }: ExperimentRunnerOptions) {
    this.world = world;
    this.#isSparing = isSparing;
    this.#items = new SpareItems(world, isSparing ? 0 : MOST_ITEMS);
    const deleted = deletionAmong(earlier, world.environment.successWhen);
    if (deleted) this.#controls.set('deleteItem', deleted);
    this.session = session;
    this.budget = budget;
    this.#sender = new PatientSender(budget);
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
    return this.#sender.isAnswering;
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
    const exchange = await this.#sender.send({ entry, args, session, changes, expected });
    const { kind } = reactionOf(exchange, this.environment.successWhen, []);
    // Nobody knows what another method did, so nothing undoes it.
    if (instead) this.#undos.strike(exchange.operation, args, { session, changes }, kind);
    else this.#undos.note(exchange, args, { session, changes }, kind);
    if (exchange.response && !instead) this.#onAnswer(exchange);
    this.#sender.assertAnswered(exchange);
    return exchange;
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
    if (!change || this.#undos.has(id, args, this.session)) return;
    await this.send(change, args);
  }

  /** An accepted request: what a spoiled one is compared with. @throws Undecided */
  async control(id: CallableId, args?: unknown): Promise<Exchange> {
    const { sent, exchange } = await this.#inForm(id, args ?? (await this.valid(id)));
    const outcome = reactionOf(exchange, this.environment.successWhen, []);
    if (outcome.kind === 'accepted') {
      this.#remember(id, lookOf(exchange));
      this.#controls.set(id, { exchange, args: sent });
      return exchange;
    }
    const why = outcome.kind === 'refused' ? `refused with ${outcome.status}` : outcome.why;
    throw new Undecided(`a valid request was not accepted: ${why}`, [exchange]);
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

  #takeBack(): Promise<string[]> {
    return this.#undos.takeBack(async ({ operation: id, args, session, changes }) => {
      await this.budget.takeAnyway();
      return session.exchange(this.entry(id), args, changes, 'settled');
    });
  }

  async #item(): Promise<string> {
    const provisioner = await this.world.provisioner();
    if (!provisioner) return this.#items.take();
    const [id] = await provisioner.items(this.session.caller.userId, 1);
    return id as string;
  }
}
