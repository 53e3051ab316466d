import { type Exchange, header, mediaType } from '../../client/index.ts';
import { type CallableId, operation, operationIds } from '../../spec/index.ts';
import type { ExperimentRequest, ExperimentRunner } from '../experiment-runner.ts';
import { Undecided } from '../fact.ts';
import { bodyOf, saysTheSame } from '../says-the-same.ts';
import { cameOut, type Finding } from './experiment.ts';

type Spoiled = Pick<ExperimentRequest, 'changes' | 'session'>;

/**
 * Sends a valid request with other headers. Its refusal counts only if it can't be one for another reason: that there is
 * nothing to be taken back for whom the headers name, or nothing to be deleted.
 */
export async function asSomebodyElse(runner: ExperimentRunner, id: CallableId, spoiled: Spoiled): Promise<Finding> {
  if (id === 'deleteItem' && !runner.isDisposable) return ofDeletion(runner, spoiled);
  const args = await runner.valid(id);
  const exchange = await runner.send(id, args, spoiled);
  const finding = cameOut(runner, id, exchange);
  const change = operationIds.find((other) => operation(other).undo === id);
  if (finding.answer === 'accepted' || !change) return finding;
  // With the right headers what was made is taken back; a second time there is nothing.
  await runner.send(id, args);
  const forNothing = await twice(runner, id, args);
  if (!isAlike(exchange, forNothing)) return finding;
  const made = await runner.send(change, args, spoiled);
  if (runner.outcome(change, made).kind !== 'accepted')
    throw new Undecided('it is refused exactly like an undo of nothing', [exchange, forNothing[0]]);
  return cameOut(runner, id, await runner.send(id, args, spoiled));
}

/** An id that nobody has tells it, where the headers are looked at before the id; else an item is put at risk. */
async function ofDeletion(runner: ExperimentRunner, spoiled: Spoiled): Promise<Finding> {
  const id = 'deleteItem';
  const args = { id: runner.world.data.id() };
  const right = await twice(runner, id, args);
  const exchange = await runner.send(id, args, spoiled);
  if (!isAlike(exchange, right) && runner.outcome(id, exchange).kind === 'refused')
    return cameOut(runner, id, exchange);
  if (spoiled.session && isAlike(exchange, right)) {
    // Another scheme word says who calls as well or as badly as a token: where a wrong token is stopped, it was not.
    const changes = new Map([['authorization', `bearer ${runner.world.data.wrongCredential()}`]]);
    const stopped = await runner.send(id, args, { changes });
    if (!isAlike(stopped, right) && runner.outcome(id, stopped).kind === 'refused')
      return { answer: 'accepted', seen: [exchange, stopped] };
  }
  return runner.withSpareItem(async (item) => cameOut(runner, id, await runner.send(id, { id: item }, spoiled)));
}

type Twice = readonly [Exchange, Exchange];

/** The same request twice, so that it shows what differs between two responses to it. */
export async function twice(runner: ExperimentRunner, id: CallableId, args: unknown): Promise<Twice> {
  return [await runner.send(id, args), await runner.send(id, args)];
}

/** Whether a refusal is the one that a request gets which was sent twice: the same status, content type and words. */
export function isAlike(exchange: Exchange, pair: Twice): boolean {
  const [first] = pair;
  return (
    exchange.response?.status === first.response?.status &&
    typeOf(exchange) === typeOf(first) &&
    saysTheSame(bodyOf(exchange), [bodyOf(first), bodyOf(pair[1])])
  );
}

function typeOf({ response }: Exchange): string | null | undefined {
  return response && mediaType(header(response, 'content-type'));
}
