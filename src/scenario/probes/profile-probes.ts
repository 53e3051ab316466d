import { type ApiResponse, callSite, ExpectationError, inside, leaves, Unproven } from '../../client/index.ts';
import { operationsWith, readProfile } from '../../spec/index.ts';
import { callByName } from '../data/call-by-name.ts';
import type { WorldWithData } from '../data/data-values.ts';
import { sampleArguments } from '../data/sample-arguments.ts';
import { asBefore } from '../open-questions/as-before.ts';
import { expect } from '../specs/expect.ts';
import { Skipped } from '../specs/skip.ts';

/** Codes of common enumerations, the commonest first. */
const GENDERS = [2, 0, 3, 9];

// What skips a scenario is thrown within a step: only there does Playwright's runner learn of it.

/** Finds a gender code that the service takes, besides the one of invented profiles. @throws Skipped */
export function otherGender(world: WorldWithData) {
  return function takesOtherGender(): Promise<number> {
    return world.observer.step('the service takes another gender code', callSite(takesOtherGender), async () => {
      const call = callByName(await world.session());
      const updating = operationsWith('restoredBy').find(({ id, restoredBy }) => id === restoredBy)?.id;
      if (!updating) throw new Error('unreachable: the specification has no update of a profile');
      const valid = (await sampleArguments(world, updating)) as Readonly<Record<string, unknown>>;
      for (const gender of GENDERS.filter((code) => code !== valid.gender))
        if (!(await call(updating, { ...valid, gender }).isDecided()).isRefusal) return gender;
      throw new Skipped('needs a service that takes two gender codes', 'open');
    });
  };
}

/**
 * Saves an avatar of the caller and one of the friend, which must not be one: by the profile that is read, and by the responses, where the
 * one to the caller names the caller. @throws Unproven where neither shows whose it is.
 */
export function avatarsApart(world: WorldWithData) {
  return function keepsAvatarsApart(): Promise<void> {
    const site = callSite(keepsAvatarsApart);
    return world.observer.step('two users have an avatar each', site, async () => {
      const [{ id: caller }, { id: friend }] = [await world.value('caller'), await world.value('friend')];
      const mine = await save(world, 'caller');
      const isShown = await showsAvatar(world, mine.name);
      const theirs = await save(world, 'friend');
      if (isShown) {
        const call = callByName(await world.session());
        const read = await call(readProfile.id, { userId: caller }).succeeds();
        expect(read, 'documented: an avatar is kept by client id and owner id').toMention(mine.name);
        expect(read, "documented: another owner's avatar is another one").not.toMention(theirs.name);
      }
      const [places, now] = [placesOf(mine.response, caller), placesOf(theirs.response, caller)];
      const sent = [...leaves(mine.response.sent), ...leaves(theirs.response.sent)];
      const namesOwner = places.length > 0 && !sent.some(({ text }) => text === caller || text === friend);
      if (!isShown && !namesOwner)
        throw new Unproven('neither the profile that is read nor the response to a saved avatar shows whose it is');
      if (!namesOwner || !places.some((place) => now.includes(place))) return;
      throw new ExpectationError(inside(theirs.response).exchange, {
        verdict: 'failed',
        claim: 'documented: an avatar is kept by client id and owner id, so that of another owner is not mine',
        observed: `the response to the friend names the caller at ${places[0]}, as the response to the caller does`,
      }).at(site);
    });
  };
}

/**
 * Saves two avatars of the caller: a profile that shows the first must show the second in its place.
 * @throws Unproven where it shows none.
 */
export function avatarReplaced(world: WorldWithData) {
  return function replacesAvatar(): Promise<void> {
    return world.observer.step('an avatar that is saved again is updated', callSite(replacesAvatar), async () => {
      await world.value('canReadProfile');
      const call = callByName(await world.session());
      const { id: userId } = await world.value('caller');
      const first = await save(world, 'caller');
      const isShown = await showsAvatar(world, first.name);
      const profile = await call(readProfile.id, { userId }).succeeds();
      asBefore(world).shows(profile, 'a saved avatar', first.name);
      if (!isShown) throw new Unproven('the profile that is read does not show a saved avatar');
      const second = await save(world, 'caller');
      await call(readProfile.id, { userId }).eventually((read) => {
        expect(read, 'documented: an avatar that exists is updated').toMention(second.name);
        expect(read, 'documented: an update replaces the avatar').not.toMention(first.name);
      });
    });
  };
}

async function showsAvatar(world: WorldWithData, name: string): Promise<boolean> {
  if (!world.environment[readProfile.id]) return false;
  const { id: userId } = await world.value('caller');
  try {
    const call = callByName(await world.session());
    await call(readProfile.id, { userId }).eventually((read) =>
      expect(read, 'assumed: a profile shows the avatar').toMention(name),
    );
    return true;
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('a profile shows the avatar')) throw error;
    return false;
  }
}

async function save(world: WorldWithData, as: 'caller' | 'friend') {
  const [saving] = operationsWith('addsOrUpdates');
  if (!saving) throw new Error('unreachable: the specification has no avatar to save');
  const call = callByName(await world.session(as));
  const response = await call(saving.id, await sampleArguments(world, saving.id)).succeeds();
  const { name = '' } = response.sent as { readonly name?: string };
  return { response, name };
}

function placesOf(response: ApiResponse, id: string): string[] {
  const found = [...leaves(inside(response).json)].filter(({ text, isKey }) => text === id && !isKey);
  return found.map(({ path }) => `/${path.join('/')}`);
}

/** Ends a scenario whose input the service refuses, where the specification leaves that open. */
export function refusalEnds(world: WorldWithData) {
  return function unlessRefused(response: Promise<ApiResponse>, what: string): Promise<void> {
    return world.observer.step(`${what} is accepted`, callSite(unlessRefused), async () => {
      if ((await response).isRefusal)
        throw new Skipped(`${what} is refused: the specification shows no limits of a text`, 'open');
    });
  };
}
