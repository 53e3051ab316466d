import type { Exchange } from '../../client/index.ts';
import type { CallableId, Operation } from '../../spec/index.ts';
import { type Finding, Undecided } from '../facts/fact.ts';
import type { Control, ExperimentRequest, ExperimentRunner } from './experiment-runner.ts';
import { isAlike, type Reaction, type Twice } from './reaction.ts';
import { isUsedUp } from './stored-items.ts';

export type OperationEntry = Operation & { readonly id: CallableId };
export type Body = Readonly<Record<string, unknown>>;

/** An operation with what is open about it, and the requests that may tell. */
export class Question {
  readonly runner: ExperimentRunner;
  readonly entry: OperationEntry;
  readonly text: string;

  constructor(runner: ExperimentRunner, entry: OperationEntry, text: string) {
    this.runner = runner;
    this.entry = entry;
    this.text = text;
  }

  get id(): CallableId {
    return this.entry.id;
  }

  get subject(): string {
    return this.text.slice(this.text.indexOf(':') + 1);
  }

  valid(): Promise<Body> {
    return this.runner.valid(this.id) as Promise<Body>;
  }

  send(args: unknown, options?: ExperimentRequest): Promise<Exchange> {
    return this.runner.send(this.id, args, options);
  }

  /** The same request twice, to see what differs between two responses. */
  async twice(args: () => unknown): Promise<Twice> {
    return [await this.send(await args()), await this.send(await args())];
  }

  outcome(exchange: Exchange): Reaction {
    return this.runner.outcome(this.id, exchange);
  }

  /** The same, of a request in words. @throws Undecided where it is unclear. */
  clearly(exchange: Exchange, sent = 'the outcome is unclear'): Exclude<Reaction, { kind: 'unclear' }> {
    const found = this.outcome(exchange);
    if (found.kind !== 'unclear') return found;
    throw new Undecided(`${sent}: ${found.why}`, [exchange]);
  }

  /** Sends an invalid request: its outcome is the answer. @throws Undecided */
  async sendInvalid(args: unknown, options?: ExperimentRequest): Promise<Finding> {
    return this.cameOut(await this.send(args, options));
  }

  /**
   * The outcome of an invalid request, next to an accepted valid one. Next to a refused one (a story is reported already), only
   * another refusal counts: it comes from a check that is made before. @throws Undecided
   */
  cameOut(exchange: Exchange): Finding {
    const outcome = this.clearly(exchange);
    if (outcome.kind === 'accepted') return { answer: 'accepted', seen: [exchange] };
    const refused = this.runner.refusedControl(this.id);
    if (refused && isAlike(exchange, refused))
      throw new Undecided(`a valid request is refused in the same way, with ${outcome.status}`, [refused[0], exchange]);
    return { answer: `refused with ${outcome.status}`, seen: [exchange] };
  }

  control(args?: unknown): Promise<Exchange> {
    return this.runner.control(this.id, args);
  }

  get lastControl(): Control | undefined {
    return this.runner.lastControl(this.id);
  }

  /**
   * Makes sure that a valid request is accepted; once is enough, because a survey checks again at the end of the operation. If
   * each request has a cost, this is skipped.
   */
  async withControl(): Promise<Exchange | undefined> {
    if (this.runner.isSpared(this.id)) return undefined;
    return this.lastControl?.exchange ?? this.control();
  }

  /** As `withControl`, but a valid request that is known to be refused will do: `cameOut` compares with it. */
  async withComparison(): Promise<void> {
    if (this.runner.refusedControl(this.id)) return;
    try {
      await this.withControl();
    } catch (error) {
      if (!(error instanceof Undecided && this.runner.refusedControl(this.id))) throw error;
    }
  }

  /** Whether each valid request deletes a real item. */
  get takesRealItem(): boolean {
    return isUsedUp(this.id) && !this.runner.isDisposable;
  }
}
