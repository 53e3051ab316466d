import { undoneChange } from '../service/index.ts';
import { type Asker, Undecided } from './asker/asker.ts';
import type { Twice } from './asker/reaction.ts';
import { among, once, outcomes, type Question, requestWords } from './question.ts';

const isRepeatable = among('block', 'unblock', 'love', 'unlove', 'report', 'deleteItem', 'saveAvatar', 'cloneType');

/**
 * The two responses to an undo without a change to undo, or to a deletion without an item. `find` sends the requests, and runs only once
 * for all questions.
 */
export function refusalForNothing({ id, requests }: Asker, args: unknown, find: () => Promise<Twice>): Promise<Twice> {
  return requests.remembered(`${id} for nothing: ${JSON.stringify(args)}`, find);
}

/**
 * Sends the same valid request twice, as the same user. If a deletion takes a real item, an earlier deletion is used as the first request,
 * so that no second item is deleted.
 */
export const repeat: Question = {
  id: 'repeat',
  of: once('repeat', isRepeatable),
  openIn: 'part 3: states and transitions are not shown',
  ...outcomes,
  broken: requestWords(() => 'the same request a second time'),
  experiment: 'a valid request twice',
  askedByRuns: true,
  ask: async (asker) => {
    const { requests, id } = asker;
    if (id === 'report') {
      const before = requests.isDisposable ? undefined : requests.acceptedBefore(id);
      const session = before ? requests.session : await requests.sessionFor(id);
      const args = before?.args ?? (await asker.valid());
      const first = before?.exchange ?? (await requests.send(id, args, { session, expected: 'success' }));
      if (asker.clearly(first).kind !== 'accepted')
        throw new Undecided('the story may have been reported before; set PROVISION_URL, which provides fresh users', [
          first,
        ]);
      const again = await requests.send(id, args, { session });
      const { kind, ...found } = asker.clearly(again);
      return { answer: 'status' in found ? `refused with ${found.status}` : kind, seen: [first, again] };
    }
    const earlier = asker.takesRealItem ? asker.lastControl() : undefined;
    const args = earlier?.args ?? (await asker.valid());
    const first = earlier?.exchange ?? (await asker.control(args));
    const { answer, seen } = await asker.sendInvalid(args);
    const again = seen.at(-1);
    // The service has accepted an undo without a change to undo. Other questions reuse this response, so that no further undo is sent for
    // them. One response is enough, because only the texts of refusals are compared.
    if (undoneChange(id) && again && answer === 'accepted')
      await refusalForNothing(asker, args, async () => [again, again]);
    return { answer, seen: [first, ...seen] };
  },
  hold: 'again',
};
