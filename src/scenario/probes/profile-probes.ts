import { type ApiResponse, Unproven } from '../../client/index.ts';
import { type CallArguments, type OperationsWith, operationsWith, readProfile } from '../../spec/index.ts';
import { callByName } from '../data/call-by-name.ts';
import type { WorldWithData } from '../data/data-values.ts';
import { sampleArguments } from '../data/sample-arguments.ts';
import { expect } from '../specs/expect.ts';
import { Skipped } from '../specs/skip.ts';

type Avatar = CallArguments<OperationsWith<'addsOrUpdates'>>;

/** Codes of common enumerations, the commonest first. */
const GENDERS = [2, 0, 3, 9];

/** Finds a gender code that the service takes, besides the one of invented profiles. @throws Skipped */
export function otherGender(world: WorldWithData) {
  return async function takesOtherGender(): Promise<number> {
    const call = callByName(await world.session());
    const updating = operationsWith('restoredBy').find(({ id, restoredBy }) => id === restoredBy)?.id;
    if (!updating) throw new Error('unreachable: the specification has no update of a profile');
    const valid = (await sampleArguments(world, updating)) as Readonly<Record<string, unknown>>;
    for (const gender of GENDERS.filter((code) => code !== valid.gender))
      if (!(await call(updating, { ...valid, gender }).isDecided()).isRefusal) return gender;
    throw new Skipped('needs a service that takes two gender codes', 'open');
  };
}

/** Saves an avatar of the caller, and sees it in their profile. @throws Unproven where a profile shows none. */
export function shownAvatar(world: WorldWithData) {
  return async function showsAvatar(): Promise<Avatar> {
    const call = callByName(await world.session());
    const { id: userId } = await world.value('caller');
    const [saving] = operationsWith('addsOrUpdates');
    if (!saving) throw new Error('unreachable: the specification has no avatar to save');
    const response = await call(saving.id, await sampleArguments(world, saving.id)).succeeds();
    const sent = response.sent as Avatar;
    try {
      await call(readProfile.id, { userId }).eventually((read) =>
        expect(read, 'assumed: a profile shows the avatar').toMention(
          String((sent as { readonly name?: unknown }).name ?? ''),
        ),
      );
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
