import type { Exchange } from '../../client/index.ts';
import type { CallableId, Operation } from '../../spec/index.ts';
import { type Finding, Undecided } from '../facts/fact.ts';
import type { ExperimentRequest, ExperimentRunner } from './experiment-runner.ts';
import { isAlike, type Twice } from './reaction.ts';
import { isUsedUp } from './stored-items.ts';

export type OperationEntry = Operation & { readonly id: CallableId };
export type Body = Readonly<Record<string, unknown>>;
export type Question = ReturnType<typeof questionOf>;

/** An operation with what is open about it, and the requests that may tell; `subject` is `name` in `required-field:name`. */
export function questionOf(runner: ExperimentRunner, entry: OperationEntry, text: string) {
  const { id } = entry;
  const send = (args: unknown, options?: ExperimentRequest) => runner.send(id, args, options);
  const control = (args?: unknown) => runner.control(id, args);
  const lastControl = () => runner.controls.get(id);
  const outcome = (exchange: Exchange) => runner.outcome(id, exchange);

  /** The same, of a request in words. @throws Undecided where it is unclear. */
  function clearly(exchange: Exchange, sent = 'the outcome is unclear') {
    const found = outcome(exchange);
    if (found.kind !== 'unclear') return found;
    throw new Undecided(`${sent}: ${found.why}`, [exchange]);
  }

  /**
   * The outcome of an invalid request, next to an accepted valid one. Next to a refused one (a story is reported already), only
   * another refusal counts: it comes from a check that is made before. @throws Undecided
   */
  function cameOut(exchange: Exchange): Finding {
    const found = clearly(exchange);
    if (found.kind === 'accepted') return { answer: 'accepted', seen: [exchange] };
    const refused = runner.refusedControl(id);
    if (refused && isAlike(exchange, refused))
      throw new Undecided(`a valid request is refused in the same way, with ${found.status}`, [refused[0], exchange]);
    return { answer: `refused with ${found.status}`, seen: [exchange] };
  }

  /**
   * Makes sure that a valid request is accepted; once is enough, because a survey checks again at the end of the operation. If
   * each request has a cost, this is skipped.
   */
  async function withControl(): Promise<Exchange | undefined> {
    return runner.isSpared(id) ? undefined : (lastControl()?.exchange ?? control());
  }

  /** As `withControl`, but a valid request that is known to be refused will do: `cameOut` compares with it. */
  async function withComparison(): Promise<void> {
    if (runner.refusedControl(id)) return;
    try {
      await withControl();
    } catch (error) {
      if (!(error instanceof Undecided && runner.refusedControl(id))) throw error;
    }
  }

  return {
    runner,
    entry,
    id,
    text,
    subject: text.slice(text.indexOf(':') + 1),
    /** Whether each valid request deletes a real item. */
    takesRealItem: isUsedUp(id) && !runner.isDisposable,
    valid: () => runner.valid(id) as Promise<Body>,
    send,
    /** The same request twice, to see what differs between two responses. */
    twice: async (args: () => unknown): Promise<Twice> => [await send(await args()), await send(await args())],
    /** Sends an invalid request: its outcome is the answer. @throws Undecided */
    sendInvalid: async (args: unknown, options?: ExperimentRequest) => cameOut(await send(args, options)),
    outcome,
    clearly,
    cameOut,
    control,
    lastControl,
    withControl,
    withComparison,
  };
}
