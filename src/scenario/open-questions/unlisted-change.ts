import { type ApiResponse, inside } from '../../call/index.ts';
import { marksOf, NOTHING_SHOWS } from '../../questions/index.ts';
import { type OperationId, operation } from '../../service/index.ts';
import { type Claim, Unproven } from '../../verdict/index.ts';
import type { WorldBasis } from '../data/world-basis.ts';
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

interface Seen {
  readonly mark: string | undefined;
  readonly response: ApiResponse;
}

/** The look that an answer names: `the friend's next response to love shows it at /loves`. */
function lookIn(answer: string | undefined): Look | undefined {
  const [, by, does, place] =
    /^the (caller|friend)'s next response to (\w+) shows it at (.+)$/.exec(answer ?? '') ?? [];
  return by && does && place ? ({ by, does, place } as Look) : undefined;
}

/** A change that no list shows, such as a love: whether it is made shows in the response to a next one, which a fact names. */
export async function unlistedChange(world: WorldBasis) {
  const call = await world.call();
  const { facts } = world;
  const make = (storyId: string, by = call) => by('love', { storyId });
  const undo = (storyId: string, by = call) => by('unlove', { storyId });
  const deferred = new Set<string>();
  function deferUndo(id: string, by?: 'friend'): void {
    const key = `${by} ${id}`;
    if (!deferred.has(key)) world.defer(async () => undo(id, by && (await world.call(by))).settles());
    deferred.add(key);
  }

  async function made(id: string): Promise<void> {
    await make(id).succeeds();
    deferUndo(id);
  }

  /** @throws Unproven where nothing shows it, or nobody knows what does. */
  async function lookFor(): Promise<Look> {
    const answer = await facts.asked(SHOWN, 'love');
    const look = lookIn(answer);
    if (look) return look;
    const why = `no response to ${titleOf('love')} or ${titleOf('unlove')} is known to show whether it was done`;
    throw new Unproven(`${why}; \`${facts.surveyCommand(SHOWN, 'love')}\` finds it out`);
  }

  /** Reads the mark that the look shows now, while `id` is made or not. The friend's own change is undone again. */
  async function seen(look: Look, id: string): Promise<Seen> {
    const by = look.by === 'friend' ? await world.call('friend') : call;
    const response = await by(look.does, { storyId: id }).isDecided();
    if (look.by === 'friend' && !response.isRefusal) await undo(id, by).settles();
    return { mark: marksOf(inside(response).exchange, response.isRefusal).get(look.place), response };
  }

  /** Looks twice while the change is made, and once after its undo. If the look is the undo, the first two are one. */
  async function looks(look: Look, id: string) {
    if (look.by === 'friend') deferUndo(id, 'friend');
    const there = await seen(look, id);
    if (look.by === 'caller' && look.does === 'unlove') return { there, again: there, undone: await seen(look, id) };
    const again = await seen(look, id);
    await undo(id).settles();
    return { there, again, undone: await seen(look, id) };
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
    return failed(response, claim, observed, `${view} no longer shows the love`);
  }

  function takenByFriend(look: Look, there: Seen, { response, mark }: Seen): Error {
    return broken(response, `assumed: ${titleOf('unlove')} of one user leaves the other's`, look, mark, there.mark);
  }

  /** Between the first look and the next one, the friend undoes theirs; the caller's is still there. */
  function keptBy() {
    return probe(world, 'what was done is kept', async ({ id }: { readonly id: string }) => {
      const look = await lookFor();
      for (let round = 1; ; round++) {
        await made(id);
        const { there, again, undone } = await looks(look, id);
        if (there.mark !== undone.mark && again.mark !== undone.mark) return;
        if (round < ROUNDS) {
          await undo(id).settles();
          continue;
        }
        if (there.mark !== undone.mark) throw takenByFriend(look, there, again);
        facts.holds(there.response, { question: SHOWN, operation: 'love', answer: NOTHING_SHOWS });
        return;
      }
    });
  }

  function leftAloneBy() {
    return probe(
      world,
      'what is undone is that alone',
      async ({ id }: { readonly id: string }, other: { readonly id: string }) => {
        const look = await lookFor();
        const unjudged = (why: string) => facts.unjudged(SHOWN, 'love', why);
        for (let round = 1; ; round++) {
          // In this order: where a user can have one alone, it is the second.
          await made(other.id);
          await made(id);
          if ((await undo(other.id).isDecided()).isRefusal)
            throw unjudged(`${titleOf('unlove')} of the first of two is refused`);
          const { there, again, undone } = await looks(look, id);
          if (there.mark !== undone.mark && again.mark === there.mark) return;
          // It may be undone with the other one, or never have been shown.
          await undo(id).settles();
          await made(id);
          const alone = await looks(look, id);
          await undo(id).settles();
          if (round < ROUNDS) continue;
          const isShown = alone.there.mark !== alone.undone.mark;
          if (there.mark !== undone.mark) {
            if (isShown && again.mark === undone.mark) throw takenByFriend(look, there, again);
            throw unjudged('its responses differ each time, so they show nothing');
          }
          const otherwise = 'nothing shows whether it was done at all';
          const seenIn = { question: SHOWN, operation: 'love', answer: NOTHING_SHOWS, otherwise } as const;
          if (!isShown) return facts.holds(alone.there.response, seenIn);
          const claim: Claim = `documented: ${titleOf('unlove')} undoes that one, and no other`;
          throw broken(there.response, claim, look, there.mark, alone.there.mark);
        }
      },
    );
  }
}

function titleOf(id: OperationId): string {
  return operation(id).title.toLowerCase();
}
