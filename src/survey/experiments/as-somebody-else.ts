import { type CallableId, undoneChange } from '../../spec/index.ts';
import type { ExperimentRequest, ExperimentRunner } from '../asking/experiment-runner.ts';
import { isAlike, type Twice } from '../asking/look.ts';
import { Undecided } from '../facts/fact.ts';
import { cameOut, type Finding } from './experiment.ts';

type ChangedRequest = Pick<ExperimentRequest, 'changes' | 'session'>;

/**
 * Sends a valid request with other headers. Its refusal counts only if there can't be another reason: that there is
 * nothing to undo for the user in the headers, or nothing to delete.
 */
export async function asSomebodyElse(
  runner: ExperimentRunner,
  id: CallableId,
  changed: ChangedRequest,
): Promise<Finding> {
  if (id === 'deleteItem' && !runner.isDisposable) return ofDeletion(runner, changed);
  const args = await runner.valid(id);
  const exchange = await runner.send(id, args, changed);
  const finding = cameOut(runner, id, exchange);
  const change = undoneChange(id);
  if (finding.answer === 'accepted' || !change) return finding;
  // With the right headers the undo works; a second time there is nothing to undo.
  await runner.send(id, args);
  const forNothing = await twice(runner, id, args);
  if (!isAlike(exchange, forNothing)) return finding;
  const made = await runner.send(change, args, changed);
  if (runner.outcome(change, made).kind !== 'accepted')
    throw new Undecided('it is refused exactly like an undo of nothing', [exchange, forNothing[0]]);
  return cameOut(runner, id, await runner.send(id, args, changed));
}

/** An invented id is enough if the service checks headers before the id; otherwise an item is risked. */
async function ofDeletion(runner: ExperimentRunner, changed: ChangedRequest): Promise<Finding> {
  const id = 'deleteItem';
  const args = { id: runner.world.data.id() };
  const right = await twice(runner, id, args);
  const exchange = await runner.send(id, args, changed);
  if (!isAlike(exchange, right) && runner.outcome(id, exchange).kind === 'refused')
    return cameOut(runner, id, exchange);
  if (changed.session && isAlike(exchange, right)) {
    // Another scheme word identifies the caller as well as a token: where a wrong token is rejected, it was accepted.
    const changes = new Map([['authorization', `bearer ${runner.world.data.wrongCredential()}`]]);
    const stopped = await runner.send(id, args, { changes });
    if (!isAlike(stopped, right) && runner.outcome(id, stopped).kind === 'refused')
      return { answer: 'accepted', seen: [exchange, stopped] };
  }
  return runner.withSpareItem(async (item) => cameOut(runner, id, await runner.send(id, { id: item }, changed)));
}

/** The same request twice, to see what differs between two responses. */
export async function twice(runner: ExperimentRunner, id: CallableId, args: unknown): Promise<Twice> {
  return [await runner.send(id, args), await runner.send(id, args)];
}
