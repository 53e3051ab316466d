import type { Exchange } from '../../http/index.ts';
import {
  type Answer,
  type Asker,
  type Body,
  isAlike,
  NotAccepted,
  type OperationEntry,
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
  const outcome = (exchange: Exchange) => requests.outcome(id, exchange);

  function clearly(exchange: Exchange, sent = 'the outcome is unclear') {
    const found = outcome(exchange);
    if (found.kind !== 'unclear') return found;
    throw new Undecided(`${sent}: ${found.why}`, [exchange]);
  }

  function cameOut(exchange: Exchange): Answer {
    const found = clearly(exchange);
    const { responses } = requests.refusedControl(id) ?? {};
    const [first] = responses ?? [];
    if (first && found.kind === 'accepted')
      throw new NotAccepted(`it is accepted, and a valid request is refused with ${first.response?.status}`, [
        first,
        exchange,
      ]);
    if (
      first &&
      responses &&
      found.kind === 'refused' &&
      (isAlike(exchange, responses) || refusedAlike(exchange, first))
    )
      throw new NotAccepted(`a valid request is refused in the same way, with ${found.status}`, [first, exchange]);
    const control = first ?? lastControl()?.exchange;
    return {
      answer: found.kind === 'accepted' ? 'accepted' : `refused with ${found.status}`,
      seen: [...(control ? [control] : []), exchange],
      ...(control ? { control: first ? 'refused' : 'accepted' } : {}),
    };
  }

  async function toChange(): Promise<Body> {
    await withComparison();
    const refused = requests.refusedControl(id);
    const isOnce = entry.effect === 'irreversible';
    const args = refused?.args ?? (isOnce ? undefined : lastControl()?.args);
    if (args === undefined) return (await requests.valid(id)) as Body;
    await requests.prepare(id, args);
    return args as Body;
  }

  // Once is enough, because a survey checks again at the end of the operation.
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
    outcome,
    clearly,
    cameOut,
    toChange,
    control,
    lastControl,
    withControl,
    withComparison,
  };
}
