import { type ApiResponse, inside } from '../../call/index.ts';
import { leaves } from '../../http/index.ts';
import { isIn, type WrittenProfile, whatIsLeft } from '../../questions/index.ts';
import { type HeaderName, readProfile } from '../../service/index.ts';
import { type Claim, Unproven } from '../../verdict/index.ts';
import { callerOf, friendOf, needed, sampleArguments } from '../data/data-values.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import { expect } from '../specs/expect.ts';
import { failed, probe } from '../specs/probe.ts';
import { Skipped } from '../specs/tags.ts';

const CLIENT: HeaderName = 'mm-client-id';

/** Codes of common enumerations, the commonest first. */
const GENDERS = [2, 0, 3, 9];

export function otherGender(world: WorldBasis) {
  return probe(world, 'the service takes another gender code', async (written: WrittenProfile) => {
    const call = await world.call();
    for (const gender of GENDERS.filter((code) => code !== written.gender)) {
      const changed = { ...written, gender };
      if (!(await call('updateProfile', changed).isDecided()).isRefusal) return changed;
    }
    throw new Skipped('needs a service that takes two gender codes', 'open');
  });
}

/**
 * Saves an avatar of the caller and another one, the friend's or the caller's own at OTHER_CLIENT_ID, which must not be one: by the profile
 * that is read, by the owner in the responses, and, for fresh users, by their statuses. @throws Unproven where nothing shows whose it is.
 */
export function avatarsApart(world: WorldBasis) {
  return probe(world, 'two avatars are kept apart', async (whose: 'friend' | 'elsewhere') => {
    const [{ id: caller }, { id: friend }] = [await callerOf(world), await friendOf(world)];
    const elsewhere =
      whose === 'elsewhere' ? { id: needed(world.environment.data.otherClientId, 'OTHER_CLIENT_ID') } : undefined;
    const added = await save(world, 'caller');
    const mine = await save(world, 'caller');
    const isShown = await showsAvatar(world, mine);
    const theirs = elsewhere ? await save(world, 'caller', elsewhere.id) : await save(world, 'friend');
    const fails = async (claim: Claim, observed: string) => {
      if (elsewhere && (await takesAnyClient(world)))
        return new Unproven('a client that nobody knows is accepted, so the token may say which client it is');
      return failed(theirs.response, claim, observed);
    };
    if (isShown) {
      const call = await world.call();
      const read = await call(readProfile.id, { userId: caller }).succeeds();
      const isMine = inside(read).mentions(mine.name);
      if (!isMine || (!elsewhere && inside(read).mentions(theirs.name)))
        throw await fails(
          'documented: an avatar is kept by client id and owner id',
          `the profile ${isMine ? 'also shows' : 'no longer shows the avatar but'} ${theirs.name}`,
        );
    }
    const [first, second, other] = [added, mine, theirs].map(({ response }) => inside(response).status);
    const tellsAdded = first !== second && (await world.provisioner()) !== undefined;
    if (tellsAdded && other === second)
      throw await fails(
        'documented: an avatar is added where its client id and owner id have none',
        `the response to the first one is ${other}, as to an update, not ${first}`,
      );
    const [places, now] = [placesOf(mine.response, caller), placesOf(theirs.response, caller)];
    const sent = [...leaves(mine.response.sent), ...leaves(theirs.response.sent)];
    const namesOwner = !elsewhere && places.length > 0 && !sent.some(({ text }) => text === caller || text === friend);
    if (!isShown && !tellsAdded && !namesOwner) throw new Unproven(`neither ${nothingReads(world)} shows whose it is`);
    if (!namesOwner || !places.some((place) => now.includes(place))) return;
    throw await fails(
      'documented: an avatar is kept by client id and owner id, so that of another owner is not mine',
      `the response to the friend names the caller at ${places[0]}, as the response to the caller does`,
    );
  });
}

/** The second avatar must be shown in place of the first, with its own items where items were ever shown. */
export function avatarItems(world: WorldBasis) {
  return probe(world, 'an avatar keeps its items', async () => {
    const first = await save(world, 'caller');
    const isShown = await showsAvatar(world, first);
    const second = await save(world, 'caller');
    const call = await world.call();
    const { id: userId } = await callerOf(world);
    const read = isShown
      ? await call(readProfile.id, { userId }).eventually((profile) =>
          expect(profile, 'documented: an avatar that is there is updated').toMention(second.name),
        )
      : undefined;
    if (read && shows(read, first.items) && !second.items.some((item) => shows(read, [item])))
      throw failed(
        read,
        'documented: an avatar that is there is updated',
        `its items are ${first.items.join(' and ')}, as before, not ${second.items.join(' and ')}`,
      );
    const isFirst = [second.response, read].some((shown) => shown && shows(shown, second.items));
    const otherwise = isFirst ? undefined : `neither ${nothingReads(world)} shows its items`;
    const answer = isFirst ? 'shown' : 'not shown';
    world.facts.holds(read ?? second.response, {
      question: 'avatar-items',
      operation: 'saveAvatar',
      answer,
      otherwise,
    });
  });
}

function shows(response: ApiResponse, texts: readonly string[]): boolean {
  return isIn(inside(response).exchange, texts);
}

function nothingReads({ environment }: WorldBasis): string {
  const read = environment[readProfile.id] ? 'that is read' : '(FRIEND_PROFILE_REQUEST)';
  return `the profile ${read} nor the response to a saved avatar`;
}

async function takesAnyClient(world: WorldBasis): Promise<boolean> {
  const call = await world.call();
  const { blockListSegments: segments } = world.environment;
  return !(await call('listBlocked', segments).withHeader(CLIENT, world.data.id()).isDecided()).isRefusal;
}

/** Whether the profile that is read shows the avatar, which it must where it ever did. */
async function showsAvatar(world: WorldBasis, { response, name }: { response: ApiResponse; name: string }) {
  if (!world.environment[readProfile.id]) return false;
  const { id: userId } = await callerOf(world);
  const call = await world.call();
  const read = call(readProfile.id, { userId }).eventually((profile) =>
    expect(profile, 'assumed: a profile shows the avatar').toMention(name),
  );
  const isFirst = await read
    .catch((error: unknown) => {
      if (!String(error).includes('a profile shows the avatar')) throw error;
    })
    .then(Boolean);
  world.facts.holds(response, { question: 'avatar-shown', answer: isFirst ? 'shown' : 'not shown' });
  return isFirst;
}

interface SavedAvatar {
  readonly name: string;
  readonly items: readonly { readonly itemId: string }[];
}

async function save(world: WorldBasis, as: 'caller' | 'friend', clientId?: string) {
  const call = (await world.call(as))('saveAvatar', await sampleArguments(world, 'saveAvatar'));
  const response = await (clientId ? call.withHeader(CLIENT, clientId).isDecided() : call.succeeds());
  if (response.isRefusal) throw new Unproven(`ACCESS_TOKEN is not accepted with OTHER_CLIENT_ID=${clientId}`);
  const { name, items } = response.sent as SavedAvatar;
  return { response, name, items: items.map(({ itemId }) => itemId) };
}

function placesOf(response: ApiResponse, id: string): string[] {
  const found = [...leaves(inside(response).json)].filter(({ text, isKey }) => text === id && !isKey);
  return found.map(({ path }) => `/${path.join('/')}`);
}

export function refusalEnds(world: WorldBasis) {
  const title = (_: unknown, what: string, _question?: string) => `${what} is accepted`;
  return probe(world, title, async (response: Promise<ApiResponse>, what: string, question?: string) => {
    const met = await response;
    if (!met.isRefusal) return;
    const { operation } = inside(met).exchange;
    if (question && world.facts.fact(question, operation))
      throw world.facts.unjudged(question, operation, `${what} is refused`);
    throw new Skipped(`${what} is refused, which the specification leaves open`, 'open');
  });
}

/** Whether a text comes back as it was sent, by the fact about it. @throws Unproven where no fact says so and it doesn't */
export function textIsKept(world: WorldBasis) {
  const title = (_response: ApiResponse, what: string, _text: string) => `${what} is kept`;
  return probe(world, title, async (response: ApiResponse, what: string, text: string) => {
    const isKept = shows(response, [text]);
    const otherwise = isKept ? undefined : `${what} is changed, and the specification shows no limits of a text`;
    const operation = 'updateProfile';
    world.facts.holds(response, {
      question: 'spaces-around',
      operation,
      answer: isKept ? 'kept' : 'removed',
      otherwise,
    });
  });
}

/** Whether an update leaves the fields that it does not name, by the fact about it. @throws Unproven where nothing shows it, or it doesn't and no fact says so */
export function restIsLeft(world: WorldBasis) {
  const title = 'what an update does not name is left';
  return probe(
    world,
    title,
    async (
      shown: { readonly before: ApiResponse; readonly after: ApiResponse },
      written: { readonly before: WrittenProfile; readonly after: WrittenProfile },
    ) => {
      const [first, second] = [inside(shown.before).exchange, inside(shown.after).exchange];
      const answer = whatIsLeft(first, second, written.before, written.after);
      const about = { question: 'partial-update', operation: 'updateProfile' } as const;
      if (!answer)
        throw world.facts.unjudged(
          about.question,
          about.operation,
          'the profile that is read shows nothing but its name',
        );
      const isLeft = answer === 'the others are left';
      const otherwise = 'what an update does not name is changed too, which the specification leaves open';
      world.facts.holds(second, { ...about, answer, otherwise: isLeft ? undefined : otherwise });
    },
  );
}
