import { randomUUID } from 'node:crypto';
import type { CallArguments } from '../../src/spec/index.ts';
import { assumed } from '../assumptions/values.ts';
import { created, type Handler, ok } from '../handler-request.ts';
import { Refusal } from '../refusal.ts';
import { avatarOf, type ProfileRecord, profileOf, type State } from '../state/index.ts';

/** The field that each name in `includes` selects; the specification spells `avartarUrl` this way, and calls the field `url`. */
const fieldOf: Readonly<Record<string, keyof ProfileRecord>> = {
  name: 'name',
  status: 'status',
  avartarUrl: 'url',
  gender: 'gender',
};

export const saveAvatar: Handler<CallArguments<'saveAvatar'>> = ({ state, clientId, userId, args }) => {
  const isNew = avatarOf(state, clientId, userId) === undefined;
  const saved = keepAvatar(state, clientId, userId, args);
  return isNew ? created(saved) : ok(saved);
};

/** Adds or updates; an update keeps the avatar's id. */
export function keepAvatar(state: State, clientId: string, userId: string, record: CallArguments<'saveAvatar'>) {
  const avatarId = avatarOf(state, clientId, userId)?.avatarId ?? `avatar-${randomUUID()}`;
  state.avatars.save({ clientId, userId, avatarId, record: JSON.stringify(record) });
  return { avatarId, ...record };
}

export const updateProfile: Handler<CallArguments<'updateProfile'>> = ({ state, userId, args }) => {
  const { includes, ...given } = args;
  const named = new Set(includes.split(';').map((name) => fieldOf[name]));
  const applied = Object.fromEntries(
    Object.entries(given).filter(([field]) => named.has(field as keyof ProfileRecord)),
  );
  const record = { ...profileOf(state, userId), ...applied };
  state.profiles.save({ userId, record: JSON.stringify(record) });
  return ok({ userId, ...record });
};

/** Operation 12 in this service: GET /v1/profile/{userId}. */
export const readProfile: Handler<CallArguments<'readProfile'>> = ({ state, clientId, args }) => {
  if (!state.users.find({ userId: args.userId }))
    throw new Refusal(assumed.notFound, 'unknown_user', 'there is no such user');
  const avatar = avatarOf(state, clientId, args.userId) ?? null;
  return ok({ userId: args.userId, ...profileOf(state, args.userId), avatar });
};
