import { ApiResponse, inside } from '../call/index.ts';
import type { Exchange } from '../http/index.ts';
import type { CallableId } from '../service/index.ts';
import { outcomeOf } from '../verdict/index.ts';
import { type Asker, Undecided } from './asker/asker.ts';
import { isIn, reactionOf } from './asker/reaction.ts';
import { readFor, readUntil } from './profile-includes.ts';
import { among, type BrokenWords, meanings, once, type Question, requestWords } from './question.ts';
import { partialUpdateAnswer, type WrittenProfile } from './shown-fields.ts';

/** Makes a question without `hold`: no run repeats its experiment. If a fact about it no longer holds, a scenario notices this. */
const seen = (
  id: string,
  operations: readonly CallableId[],
  openIn: string,
  answers: readonly [string, string],
  broken: BrokenWords,
  experiment: string,
  ask: Question['ask'],
): Question => ({
  id,
  of: once(id, among(...operations)),
  openIn,
  answers: answers.join(', or '),
  form: new RegExp(`^(${answers.join('|')})( with \\d{3})?$`),
  broken,
  experiment,
  ask,
});

/** Saves two avatars for the caller. Returns the response to the second one, its items, and the caller's profile if it can be read. */
async function savedAvatar(asker: Asker) {
  const { requests } = asker;
  await asker.control();
  const saved = await asker.control(await asker.valid());
  const { name, items = [] } = (asker.lastControl()?.args ?? {}) as {
    readonly name?: string;
    readonly items?: readonly { readonly itemId: string }[];
  };
  const read = requests.environment.readProfile && (await readFor(requests, name));
  return { saved, read: read?.last, isShown: read?.held ?? false, items: items.map(({ itemId }) => itemId) };
}

const avatarShown: Question['ask'] = async (asker) => {
  const { saved, read, isShown } = await savedAvatar(asker);
  if (!read) throw new Undecided('FRIEND_PROFILE_REQUEST is not set', [saved]);
  return { answer: isShown ? 'shown' : 'not shown', seen: [saved, read] };
};

export function avatarItemsAnswer(shown: readonly Exchange[], items: readonly string[]) {
  return shown.some((exchange) => isIn(exchange, items)) ? 'shown' : 'not shown';
}

const avatarItems: Question['ask'] = async (asker) => {
  const { saved, read, items } = await savedAvatar(asker);
  const shown = [saved, ...(read ? [read] : [])];
  return { answer: avatarItemsAnswer(shown, items), seen: shown };
};

/** A new profile on each call, in the form that the service accepts. */
async function profileOf(asker: Asker): Promise<WrittenProfile> {
  return (await asker.valid()) as unknown as WrittenProfile;
}

const partialUpdate: Question['ask'] = async (asker) => {
  const { requests } = asker;
  const [before, after] = [await profileOf(asker), await profileOf(asker)];
  await asker.control(before);
  const first = await readUntil(requests, before.name, 'the name was written with all fields');
  await asker.control({ includes: 'name', name: after.name });
  const second = await readUntil(requests, after.name, 'the name was written alone');
  const answer = partialUpdateAnswer(first, second, before, after);
  if (!answer) throw new Undecided('the profile shows only its name', [first]);
  return { answer, seen: [first, second] };
};

export function spacesAnswer(read: Exchange, name: string) {
  return isIn(read, [name]) ? 'kept' : 'removed';
}

const spacesAround: Question['ask'] = async (asker) => {
  const { requests } = asker;
  const made = requests.data.text();
  const name = `  ${made} `;
  await asker.control({ ...(await profileOf(asker)), name });
  const read = await readUntil(requests, made, 'the name was written between spaces');
  return { answer: spacesAnswer(read, name), seen: [read] };
};

const foreignItem: Question['ask'] = async (asker) => {
  const [other] = (await asker.requests.freshUsers(1)) ?? [];
  if (!other) throw new Undecided('needs another user and an item: PROVISION_URL');
  await asker.withControl();
  return asker.sendInvalid(await asker.valid(), { session: asker.requests.sessionOf(other) });
};

/** Reads a list without entries and then with one, to see whether the list without entries is a success or a 404. */
const emptyList: Question['ask'] = async (asker) => {
  const { requests, id } = asker;
  const args = requests.environment.blockListSegments;
  const empty = await asker.send(args);
  const entriesIn = (exchange: Exchange) => inside(new ApiResponse(exchange, new Set())).entries;
  const { successWhen } = requests.environment;
  const isNoEntries = (exchange: Exchange) => outcomeOf(exchange, successWhen).isNoEntries;
  const assertRead = (exchange: Exchange) => {
    const found = reactionOf(exchange, successWhen, []);
    if (isNoEntries(exchange) || found.kind === 'accepted') return;
    const why = found.kind === 'refused' ? `refused with ${found.status}` : found.why;
    throw new Undecided(`the list could not be read: ${why}`, [exchange]);
  };
  assertRead(empty);
  const isMissing = isNoEntries(empty);
  if (!isMissing && entriesIn(empty) !== 0) throw new Undecided('the list has entries', [empty]);
  const friend = await requests.friendSession();
  if (id === 'listBlockers' && !friend) throw new Undecided('needs a second user who can sign in', [empty]);
  const blocks = { friendId: id === 'listBlocked' ? await requests.friendId() : requests.session.caller.userId };
  await requests.send('block', blocks, id === 'listBlocked' || !friend ? {} : { session: friend });
  const { last, held } = await requests.waitUntil(
    () => asker.send(args),
    (exchange) => !isNoEntries(exchange) && entriesIn(exchange) !== 0,
  );
  assertRead(last);
  if (!held) throw new Undecided('a list with an entry looks the same', [empty, last]);
  return { answer: isMissing ? 'not found' : 'a success', seen: [empty, last] };
};

const shown = ['shown', 'not shown'] as const;
const showing = (what: string) =>
  meanings({ shown: [`shows ${what}`, 'it did'], 'not shown': [`no longer shows ${what}`, 'it did not'] });
const updates = 'parts 2 and 8: the effect of an update on what it does not name, and limits of texts, are not shown';
const records = 'part 2: fields of every response record are not shown';

export const seenOnce: readonly Question[] = [
  seen(
    'avatar-shown',
    ['saveAvatar'],
    records,
    shown,
    showing('the avatar in the profile'),
    'two avatars, and the profile that is read',
    avatarShown,
  ),
  seen(
    'avatar-items',
    ['saveAvatar'],
    records,
    shown,
    showing("the avatar's items"),
    'two avatars, and the profile that is read',
    avatarItems,
  ),
  seen(
    'partial-update',
    ['updateProfile'],
    updates,
    ['the others are left', 'the others are changed'],
    meanings({
      'the others are left': ['leaves the fields that an update does not name', 'it left them'],
      'the others are changed': ['changes fields that an update does not name', 'it changed them'],
    }),
    'an update of all fields, and one of the name alone',
    partialUpdate,
  ),
  seen(
    'spaces-around',
    ['updateProfile'],
    updates,
    ['kept', 'removed'],
    meanings({
      kept: ['keeps the spaces around a name', 'it kept them'],
      removed: ['removes the spaces around a name', 'it removed them'],
    }),
    'a name between spaces, read back',
    spacesAround,
  ),
  seen(
    'foreign-item',
    ['deleteItem'],
    'part 5: whose items a user may delete is not shown',
    ['accepted', 'refused'],
    requestWords(() => "the deletion of another user's item"),
    "the deletion of another user's item, next to one of the user's own",
    foreignItem,
  ),
  {
    ...seen(
      'empty-list',
      ['listBlocked', 'listBlockers'],
      'part 4, rule 8: response bodies and statuses are not shown',
      ['not found', 'a success'],
      meanings({
        'not found': ['answers 404 while it has no entries', 'it answered 404'],
        'a success': ['is a success while it has no entries', 'it was a success'],
      }),
      'the list without entries, and with one',
      emptyList,
    ),
    effect: 'reversible',
    askedByRuns: true,
  },
];
