import { type ApiResponse, type Claim, inside, Unproven } from '../../client/index.ts';
import { marksOf, NOTHING_SHOWS } from '../../service/questions/index.ts';
import { type OperationId, operation, operationsWith, requestFields } from '../../spec/index.ts';
import type { WorldWithData } from '../data/data-values.ts';
import { failed, probe } from '../specs/probe.ts';

/** Others may change the same thing at the same time, so what looks wrong must look so as many times, each beside controls of its own. */
const ROUNDS = 3;

/** The fact that says which response shows whether a change is made that no list shows. */
const SHOWN = 'love-shown';

interface Look {
  readonly by: 'caller' | 'friend';
  readonly does: OperationId;
  /** `the status`, or a JSON Pointer. */
  readonly place: string;
}

/** The look that an answer names: `the friend's next response to love shows it at /loves`. */
function lookIn(answer: string | undefined): Look | undefined {
  const [, by, does, place] =
    /^the (caller|friend)'s next response to (\w+) shows it at (.+)$/.exec(answer ?? '') ?? [];
  return by && does && place ? ({ by, does, place } as Look) : undefined;
}

/** A change that no list shows, such as a love: whether it is made shows in the response to a next one, which a fact names. */
export async function unlistedChange(world: WorldWithData) {
  const change = operationsWith('undo').find(({ id }) => operation(id).shownBy === undefined);
  if (!change) throw new Error('unreachable: the specification has a change that no list shows');
  const [field = ''] = requestFields(change);
  const undoing = change.undo as OperationId;
  const call = await world.call();
  const { facts } = world;
  const make = (id: string, by = call) => by(change.id, { [field]: id });
  const undo = (id: string, by = call) => by(undoing, { [field]: id });
  const deferred = new Set<string>();
  function deferUndo(id: string): void {
    if (!deferred.has(id)) world.defer(() => undo(id).settles());
    deferred.add(id);
  }

  async function made(id: string): Promise<void> {
    await make(id).succeeds();
    deferUndo(id);
  }

  /** @throws Unproven where nothing shows it, or nobody knows what does. */
  async function lookFor(): Promise<Look> {
    const answer = await facts.asked(SHOWN, change?.id as OperationId);
    const look = lookIn(answer);
    if (look) return look;
    const why = `no response to ${titleOf(change?.id)} or ${titleOf(undoing)} is known to show whether it was done`;
    throw new Unproven(`${why}; \`${facts.surveyCommand(SHOWN, change?.id as OperationId)}\` finds it out`);
  }

  /** What the look shows now, while `id` is made or not; the friend's own change is undone again. */
  async function seen(
    look: Look,
    id: string,
  ): Promise<{ readonly mark: string | undefined; readonly response: ApiResponse }> {
    const by = look.by === 'friend' ? await world.call('friend') : call;
    const response = await by(look.does, { [field]: id }).isDecided();
    if (look.by === 'friend' && !response.isRefusal) await undo(id, by).settles();
    return { mark: marksOf(inside(response).exchange, response.isRefusal).get(look.place), response };
  }

  /** What it shows while the change is made, and while it isn't. The change is made then, unless the look undoes it. */
  async function contrast(look: Look, id: string) {
    if (look.does === undoing && look.by === 'caller') {
      await made(id);
      const there = await seen(look, id);
      return { made: there, undone: await seen(look, id) };
    }
    if (look.by === 'caller') {
      const undone = await seen(look, id);
      deferUndo(id);
      return { undone, made: await seen(look, id) };
    }
    const friend = await world.call('friend');
    world.defer(() => undo(id, friend).settles());
    // Whoever has undone theirs before must keep the next one, too. An undo alone would take away what a person did.
    await made(id);
    await undo(id).settles();
    const undone = await seen(look, id);
    await made(id);
    return { undone, made: await seen(look, id) };
  }

  return { isKept: keptBy(), isLeftAlone: leftAloneBy() };

  function broken(
    response: ApiResponse,
    claim: Claim,
    { by, does, place }: Look,
    now: string | undefined,
    before: string | undefined,
  ) {
    const observed = `${place} is ${now}, as after its own undo, not ${before}`;
    const view = by === 'friend' ? "The friend's view" : `The response to ${does}`;
    return failed(response, claim, observed, `${view} no longer shows the ${change?.id}`);
  }

  function keptBy() {
    return probe(world, 'what was done is kept', async ({ id }: { readonly id: string }) => {
      const look = await lookFor();
      for (let round = 1; ; round++) {
        const { undone, made: there } = await contrast(look, id);
        if (there.mark !== undone.mark) return theirs(look, id, undone.mark, there);
        if (round < ROUNDS) {
          await undo(id).settles();
          continue;
        }
        facts.holds(there.response, { question: SHOWN, operation: change?.id as OperationId, answer: NOTHING_SHOWS });
        return;
      }
    });
  }

  /** The friend has undone theirs; the caller's is still there. */
  async function theirs(
    look: Look,
    id: string,
    undone: string | undefined,
    there: { readonly mark: string | undefined },
  ) {
    if (look.by !== 'friend') return;
    for (let round = 1; ; round++) {
      const again = await seen(look, id);
      if (again.mark !== undone) return;
      if (round === ROUNDS)
        throw broken(
          again.response,
          `assumed: ${titleOf(undoing)} of one user leaves the other's`,
          look,
          again.mark,
          there.mark,
        );
      await undo(id).settles();
      await made(id);
      await seen(look, id);
    }
  }

  function leftAloneBy() {
    return probe(
      world,
      'what is undone is that alone',
      async ({ id }: { readonly id: string }, other: { readonly id: string }) => {
        const look = await lookFor();
        const unjudged = (why: string) => facts.unjudged(SHOWN, change?.id as OperationId, why);
        for (let round = 1; ; round++) {
          const { undone, made: there } = await contrast(look, id);
          if (look.does !== undoing) await undo(id).settles();
          // In this order: where a user can have one alone, it is the second.
          await made(other.id);
          await made(id);
          if ((await undo(other.id).isDecided()).isRefusal)
            throw unjudged(`${titleOf(undoing)} of the first of two is refused`);
          const { mark, response } = await seen(look, id);
          if (there.mark === undone.mark) throw unjudged('nothing shows whether it was done at all');
          if (mark === there.mark) return;
          if (mark !== undone.mark) throw unjudged('its responses differ each time, so they show nothing');
          await undo(id).settles();
          if (round === ROUNDS)
            throw broken(
              response,
              `documented: ${titleOf(undoing)} undoes that one, and no other`,
              look,
              mark,
              there.mark,
            );
        }
      },
    );
  }
}

function titleOf(id: string | undefined): string {
  return operation(id as OperationId).title.toLowerCase();
}
