import type { CallArguments } from '../../src/spec/index.ts';
import { assumed } from '../assumptions/values.ts';
import { created, type Handler, ok, type Served } from '../handler-request.ts';
import { Refusal } from '../refusal.ts';
import { block, listBlocked, listBlockers, unblock } from './friends.ts';
import { readProfile, saveAvatar, updateProfile } from './profile.ts';
import { love, report, reportOptions, unlove } from './stories.ts';

const cloneType: Handler<CallArguments<'cloneType'>> = ({ state, clientId, args }) => {
  const { FromClientId, TypeName, TypeVersion, IsSetDefaultTypeVersion } = args;
  const own = { clientId, name: TypeName };
  if (!state.types.find({ clientId: FromClientId, name: TypeName }))
    throw new Refusal(assumed.notFound, 'unknown_type', 'that client has no such type');
  if (state.types.find({ ...own, version: TypeVersion }))
    throw new Refusal(assumed.versionExists, 'version_exists', 'this version exists already');
  if (IsSetDefaultTypeVersion) for (const type of state.types.all(own)) state.types.save({ ...type, isDefault: 0 });
  state.types.add({ ...own, version: TypeVersion, isDefault: IsSetDefaultTypeVersion ? 1 : 0 });
  const { version = null } = state.types.find({ ...own, isDefault: 1 }) ?? {};
  return created({ TypeName, TypeVersion, DefaultTypeVersion: version });
};

const evaluate: Handler<CallArguments<'evaluate'>> = ({ state, args }) => {
  const flag = state.flags.find({ key: args.key });
  const isActive = flag !== undefined && (flag.platform === null || flag.platform === args.contextData.platform);
  return ok({ key: args.key, active: isActive, value: isActive ? flag.value : args.default });
};

const deleteItem: Handler<CallArguments<'deleteItem'>> = ({ state, userId, args }) => {
  // Another user's item is "not found" too: a different response would disclose that it exists.
  if (state.items.find({ itemId: args.id })?.owner !== userId)
    throw new Refusal(assumed.notFound, 'unknown_item', 'there is no such item');
  state.items.remove({ itemId: args.id });
  return { status: 204 };
};

const blocking = '{friendId: string, blocked: boolean}';
const users = '{userId: string, blockedAt: date-time}[]';
const loving = '{storyId: string, loved: boolean, loves: integer}';
const ownProfile = '{userId: string, name: string, status: string, url: string, gender: integer}';

/** The handler of each operation. A survey must find the statuses and bodies of its successes. */
export const served: Served = {
  block: { handle: block, statuses: [200], body: blocking },
  listBlocked: { handle: listBlocked, statuses: [200], body: users },
  listBlockers: { handle: listBlockers, statuses: [200], body: users },
  unblock: { handle: unblock, statuses: [200], body: blocking },
  love: { handle: love, statuses: [200], body: loving },
  unlove: { handle: unlove, statuses: [200], body: loving },
  reportOptions: {
    handle: reportOptions,
    statuses: [200],
    body: '{code: "HATE_OR_HARASSMENT" | "SEXUALLY_INAPPROPRIATE" | "SPAM", label: string}[]',
  },
  report: { handle: report, statuses: [201], body: '{reportId: string, storyId: string, reports: string[]}' },
  cloneType: {
    handle: cloneType,
    statuses: [201],
    body: '{TypeName: string, TypeVersion: string, DefaultTypeVersion: string | null}',
  },
  saveAvatar: {
    handle: saveAvatar,
    statuses: [201, 200],
    body: '{avatarId: string, includes: string, name: string, meta: string, items: {itemId: string, type: integer, designId?: string}[]}',
  },
  updateProfile: { handle: updateProfile, statuses: [200], body: ownProfile },
  // The specification shows operation 11's request for operation 12, so both do the same.
  getFriendProfile: { handle: updateProfile, statuses: [200], body: ownProfile },
  evaluate: { handle: evaluate, statuses: [200], body: '{key: string, active: boolean, value: string}' },
  deleteItem: { handle: deleteItem, statuses: [204], body: 'no body' },
};

export { readProfile };
