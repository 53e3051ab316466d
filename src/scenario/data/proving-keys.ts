import type { Environment, KeyName } from '../../environment/index.ts';
import type { CallableId } from '../../service/index.ts';

/** A noun for the data that the suite makes up for an operation, and the keys that name real data. */
interface MadeUp {
  readonly noun: string;
  readonly keys: Readonly<Partial<Record<KeyName, (environment: Environment) => unknown>>>;
}

const avatar: MadeUp = {
  noun: 'avatar',
  keys: { AVATAR_ITEM_IDS: ({ data }) => data.avatarItemIds?.[0], AVATAR_DESIGN_ID: ({ data }) => data.avatarDesignId },
};
const user: MadeUp = {
  noun: 'user',
  keys: { FRIEND_USER_ID: ({ friend }) => friend.userId, OTHER_USER_IDS: ({ data }) => data.otherUserIds[0] },
};
/**
 * FRIEND_PROFILE_REQUEST names no real data. But with it a run can read and restore the profile, and so find out which values the service
 * accepts.
 */
const profile: MadeUp = { noun: 'profile', keys: { FRIEND_PROFILE_REQUEST: ({ readProfile }) => readProfile } };

const madeUp: Readonly<Partial<Record<CallableId, MadeUp>>> = {
  saveAvatar: avatar,
  block: user,
  unblock: user,
  updateProfile: profile,
  getFriendProfile: profile,
};

/** For messages: describes the data of an operation's request that the service may not know, and the key that would name real data. */
export interface Naming {
  readonly what: string;
  readonly key?: KeyName;
  /** The environment sets the key, but the service may not know its value. */
  readonly isGiven?: true;
}

export function namingOf(environment: Environment, id: CallableId): Naming {
  if (id === 'cloneType') return { what: 'a clone of TYPE_NAME at TYPE_VERSION', key: 'TYPE_VERSION', isGiven: true };
  if (id === 'deleteItem') return { what: 'an id of STORED_ITEM_IDS', key: 'STORED_ITEM_IDS', isGiven: true };
  const { noun = 'request', keys = {} } = madeUp[id] ?? {};
  const [missing] = Object.entries(keys).filter(([, nameIn]) => !nameIn(environment));
  return { what: `the ${noun} that the suite makes up`, ...(missing ? { key: missing[0] as KeyName } : {}) };
}
