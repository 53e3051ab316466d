import type { Exchange } from '../../http/index.ts';
import {
  type Answer,
  type Asker,
  type Body,
  isAlike,
  NotAccepted,
  type OperationEntry,
  type Reaction,
  type Requests,
  Undecided,
} from '../../questions/index.ts';
import { refusedAlike } from '../../verdict/index.ts';

/** Asks one question, named `name`, about one operation. */
export function askerOf(requests: Requests, entry: OperationEntry, name: string): Asker {
  const { id } = entry;
  const send = (args: unknown, options?: Parameters<Requests['send']>[2]) => requests.send(id, args, options);
  const control = (args?: unknown) => requests.control(id, args);
  const lastControl = () => requests.controls.get(id);
  const clearly = (exchange: Exchange, sent?: string) => clearOutcome(requests.outcome(id, exchange), exchange, sent);
  const cameOut = (exchange: Exchange) => answerOf(requests, id, exchange);

  async function toChange(): Promise<Body> {
    await withComparison();
    const refused = requests.refusedControl(id);
    const isOnce = entry.effect === 'irreversible';
    const args = refused?.args ?? (isOnce ? undefined : lastControl()?.args);
    if (args === undefined) return (await requests.valid(id)) as Body;
    await requests.prepare(id, args);
    return args as Body;
  }

  // The last control (an accepted valid request) is enough, because a survey sends a further control after its questions about the
  // operation.
  async function withControl(): Promise<Exchange | undefined> {
    return requests.isSpared(id) ? undefined : (lastControl()?.exchange ?? control());
  }

  async function withComparison(): Promise<void> {
    if (requests.refusedControl(id)) return;
    try {
      await withControl();
    } catch (error) {
      if (!(error instanceof Undecided && requests.refusedControl(id))) throw error;
    }
  }

  return {
    requests,
    entry,
    id,
    subject: name.slice(name.indexOf(':') + 1),
    takesRealItem: id === 'deleteItem' && !requests.isDisposable,
    valid: () => requests.valid(id) as Promise<Body>,
    send,
    twice: async (args) => [await send(await args()), await send(await args())],
    sendInvalid: async (args, options) => cameOut(await send(args, options)),
    outcome: (exchange) => requests.outcome(id, exchange),
    clearly,
    cameOut,
    toChange,
    control,
    lastControl,
    withControl,
    withComparison,
  };
}

function clearOutcome(outcome: Reaction, exchange: Exchange, sent = 'the outcome is unclear') {
  if (outcome.kind !== 'unclear') return outcome;
  throw new Undecided(`${sent}: ${outcome.why}`, [exchange]);
}

/**
 * Compares a response with the response to a valid request, and returns the answer.
 * @throws NotAccepted if the two don't differ, Undecided if the outcome is unclear
 */
function answerOf(requests: Requests, id: OperationEntry['id'], exchange: Exchange): Answer {
  const outcome = clearOutcome(requests.outcome(id, exchange), exchange);
  const refusals = requests.refusedControl(id)?.responses;
  const first = refusals?.[0];
  if (first && outcome.kind === 'accepted') {
    const why = `it is accepted, and a valid request is refused with ${first.response?.status}`;
    throw new NotAccepted(why, [first, exchange]);
  }
  if (refusals && outcome.kind === 'refused' && (isAlike(exchange, refusals) || refusedAlike(exchange, refusals[0])))
    throw new NotAccepted(`a valid request is refused in the same way, with ${outcome.status}`, [
      refusals[0],
      exchange,
    ]);
  const control = first ?? requests.controls.get(id)?.exchange;
  return {
    answer: outcome.kind === 'accepted' ? 'accepted' : `refused with ${outcome.status}`,
    seen: [...(control ? [control] : []), exchange],
    ...(control ? { control: first ? 'refused' : 'accepted' } : {}),
  };
}
