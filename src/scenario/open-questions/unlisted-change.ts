import { type ApiResponse, inside, leaves, Unproven } from '../../client/index.ts';
import { type OperationId, operation, operationsWith, requestFields } from '../../spec/index.ts';
import type { WorldWithData } from '../data/data-values.ts';
import type { CallByName } from '../data/world-basis.ts';
import { failed, probe } from '../specs/probe.ts';
import { Skipped } from '../specs/tags.ts';
import { asBefore, TIMES_THAT_ARE_NO_CHANCE } from './as-before.ts';

/** Others may change the same thing at the same time, so what looks wrong must look so as many times, each beside controls of its own. */
const ROUNDS = 3;

/** By place in a response: what may depend on whether a change is made. Texts may be anything, such as the name of a server. */
type Marks = ReadonlyMap<string, string>;

/** A request whose response may show whether the change is made, and what it showed while it was, and while it wasn't. */
interface Contrast {
  /** By the caller's own requests; otherwise by the friend's. */
  readonly isOwn: boolean;
  readonly look: () => Promise<ApiResponse>;
  readonly made: readonly Marks[];
  readonly undone: readonly Marks[];
}

/**
 * A change that no list shows, such as a love: whether it is made shows at most in the responses to the next ones. Some refuse the second
 * one, some count. What differs each time is known by trying.
 */
export async function unlistedChange(world: WorldWithData) {
  const change = operationsWith('undo').find(({ id }) => operation(id).shownBy === undefined);
  if (!change) throw new Error('unreachable: the specification has a change that no list shows');
  const [field = ''] = requestFields(change);
  const call = await world.call();
  const friend = await friendOf(world);
  const make = (id: string, by = call) => by(change.id, { [field]: id });
  const undo = (id: string, by = call) => by(change.undo as OperationId, { [field]: id });
  const { holds } = asBefore(world);

  const deferred = new Set<string>();
  async function made(id: string): Promise<void> {
    await make(id).succeeds();
    if (!deferred.has(id)) world.defer(() => undo(id).settles());
    deferred.add(id);
  }

  /** By the caller's own next request. Each is looked at at an odd and an even place: two servers may take turns. */
  async function ownContrasts(id: string): Promise<Contrast[]> {
    await made(id);
    await undo(id).settles();
    const seen: Marks[][] = [];
    for (let time = 0; time < 2; time++) {
      const sent = [() => make(id), () => make(id), () => undo(id), () => undo(id)];
      const marks: Marks[] = [];
      for (const send of sent) marks.push(marksOf(await send().isDecided()));
      await undo(id).settles();
      seen.push(marks);
    }
    const at = (place: number) => seen.map((marks) => marks[place] as Marks);
    return [
      { isOwn: true, look: () => undo(id).isDecided(), made: at(2), undone: at(3) },
      { isOwn: true, look: () => make(id).isDecided(), made: at(1), undone: at(0) },
    ];
  }

  /** By what the friend is told, whose own change is undone each time. */
  async function friendContrast(id: string, by: CallByName, round = 1): Promise<Contrast> {
    const look = async () => {
      const response = await make(id, by).succeeds();
      await undo(id, by).settles();
      return response;
    };
    await made(id);
    world.defer(() => undo(id, by).settles());
    const first = await look();
    await undo(id, by).settles();
    const second = await look();
    const undone: Marks[] = [];
    for (let time = 0; time < 2; time++) {
      await undo(id).settles();
      undone.push(marksOf(await look()));
    }
    const [before, after] = [marksOf(first), marksOf(second)];
    const [lost] = placesOf({ made: [before], undone: [after, ...undone] });
    if (lost === undefined) return { isOwn: false, look, made: [before, after], undone };
    if (round < ROUNDS) return friendContrast(id, by, round + 1);
    throw failed(
      second,
      `assumed: ${titleOf(change?.undo)} of one user leaves the other's`,
      `${lost} is ${after.get(lost)} once the friend has undone theirs, as if the caller had, and was ${before.get(lost)}`,
    );
  }

  /** What shows whether the change is made; `undefined` where nothing does. @throws Unproven where numbers never rest. */
  async function contrastOf(id: string): Promise<Contrast | undefined> {
    for (let round = 1; ; round++) {
      const contrasts = await ownContrasts(id);
      if (friend && !contrasts.some(isShown)) contrasts.push(await friendContrast(id, friend));
      const found = contrasts.find(isShown);
      if (found || contrasts.every(isAtRest)) return found;
      if (round === ROUNDS) throw new Unproven('its responses differ each time, so they show nothing');
    }
  }

  const nothingShows = () =>
    new Unproven(`no response to ${titleOf(change.id)} or ${titleOf(change.undo)} shows whether it was done`);

  const isKept = probe(world, 'what was done is kept', async ({ id }: { readonly id: string }) => {
    const contrast = await contrastOf(id);
    const response = await undo(id).isDecided();
    // Two numbers that lag may differ by chance.
    const seen = { words: ['shown', 'not shown'], least: TIMES_THAT_ARE_NO_CHANCE } as const;
    if (contrast?.isOwn !== false) holds(response, { ...seen, what: 'what was done before', isFirst: !!contrast });
    if (friend && !contrast?.isOwn) {
      const lost = `The friend's view no longer shows the ${change.id}`;
      holds(response, { ...seen, what: 'what the friend sees of it', isFirst: !!contrast, lost });
    }
    if (!contrast) throw nothingShows();
  });

  const isLeftAlone = probe(
    world,
    'what is undone is that alone',
    async ({ id }: { readonly id: string }, other: { readonly id: string }) => {
      for (let round = 1; ; round++) {
        const contrast = await contrastOf(id);
        if (!contrast) throw nothingShows();
        await undo(id).settles();
        // In this order: where a user can have one alone, it is the second.
        await made(other.id);
        await made(id);
        const undone = await undo(other.id).isDecided();
        if (undone.isRefusal) throw new Unproven(`${titleOf(change?.undo)} of the first of two is refused`);
        const response = await contrast.look();
        const now = marksOf(response);
        const places = placesOf(contrast);
        if (places.some((place) => now.get(place) === contrast.made[0]?.get(place))) return;
        const [lost] = places.filter((place) => now.get(place) === contrast.undone[0]?.get(place));
        if (lost === undefined) throw new Unproven('its responses differ each time, so they show nothing');
        if (round < ROUNDS) continue;
        throw failed(
          response,
          `documented: ${titleOf(change?.undo)} undoes that one, and no other`,
          `${lost} is ${now.get(lost)}, as where ${id} itself was undone, not ${contrast.made[0]?.get(lost)}`,
        );
      }
    },
  );
  return { isKept, isLeftAlone };
}

async function friendOf(world: WorldWithData): Promise<CallByName | undefined> {
  try {
    return await world.call('friend');
  } catch (error) {
    if (error instanceof Skipped) return undefined;
    throw error;
  }
}

function titleOf(id: string | undefined): string {
  return operation(id as OperationId).title.toLowerCase();
}

function marksOf(response: ApiResponse): Marks {
  const { status, json } = inside(response);
  const found = [...leaves(json)].filter(({ text, isKey }) => !isKey && /^(true|false|\d{1,9})$/.test(text));
  return new Map([
    ['the status', `${status}${response.isRefusal ? ' (refused)' : ''}`],
    ...found.map(({ path, text }) => [`/${path.join('/')}`, text] as const),
  ]);
}

/** The places that were alike each time, and different in the two. */
function placesOf({ made, undone }: Pick<Contrast, 'made' | 'undone'>): string[] {
  const one = (all: readonly Marks[], place: string) => {
    const [first, ...others] = all.map((marks) => marks.get(place));
    return others.every((other) => other === first) ? first : undefined;
  };
  return [...(made[0]?.keys() ?? [])].filter((place) => {
    const [there, gone] = [one(made, place), one(undone, place)];
    return there !== undefined && gone !== undefined && there !== gone;
  });
}

function isShown(contrast: Contrast): boolean {
  return placesOf(contrast).length > 0;
}

function isAtRest({ made, undone }: Contrast): boolean {
  return [made, undone].every(([one, other]) => [...(one ?? [])].every(([place, text]) => other?.get(place) === text));
}
