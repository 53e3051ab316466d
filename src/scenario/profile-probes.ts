import { type ApiResponse, areaClient, Unproven } from '../client/index.ts';
import type { CallArguments } from '../spec/index.ts';
import type { WorldWithData } from './data-values.ts';
import { expect } from './expect.ts';
import { Skipped } from './skip.ts';

/** Codes of common enumerations, the commonest first. */
const GENDERS = [2, 0, 3, 9];

/** Finds a gender code that the service takes, besides the one of invented profiles. @throws Skipped */
export function otherGender(world: WorldWithData) {
  return async function takesOtherGender(): Promise<number> {
    const profile = areaClient(await world.session(), 'profile');
    const valid = world.data.profile();
    for (const gender of GENDERS.filter((code) => code !== valid.gender))
      if (!(await profile.updateProfile({ ...valid, gender }).isDecided()).isRefusal) return gender;
    throw new Skipped('needs a service that takes two gender codes', 'open');
  };
}

/** Saves an avatar of the caller, and sees it in their profile. @throws Unproven where a profile shows none. */
export function shownAvatar(world: WorldWithData) {
  return async function showsAvatar(): Promise<CallArguments<'saveAvatar'>> {
    const profile = areaClient(await world.session(), 'profile');
    const { id: userId } = await world.value('caller');
    const { sent } = await profile.saveAvatar(world.data.avatar()).succeeds();
    try {
      await profile
        .readProfile({ userId })
        .eventually((read) => expect(read, 'assumed: a profile shows the avatar').toMention(sent.name ?? ''));
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('a profile shows the avatar')) throw error;
      throw new Unproven('the profile that is read shows no avatar, so nothing shows whose it is');
    }
    return sent;
  };
}

/** Ends a scenario whose input the service refuses, where the specification leaves that open. */
export async function unlessRefused(response: Promise<ApiResponse>, what: string): Promise<void> {
  if ((await response).isRefusal)
    throw new Skipped(`${what} is refused: the specification shows no limits of a text`, 'open');
}
