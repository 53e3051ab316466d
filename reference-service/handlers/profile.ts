import type { CallArguments } from '../../src/spec/index.ts';
import { assumed } from '../assumptions/values.ts';
import { created, type Handler, ok } from '../handler-request.ts';
import { Refusal } from '../refusal.ts';
import type { ProfileRecord } from '../state/index.ts';

/** The field that each name in `includes` selects; the specification spells `avartarUrl` this way, and calls the field `url`. */
const fieldOf: Readonly<Record<string, keyof ProfileRecord>> = {
  name: 'name',
  status: 'status',
  avartarUrl: 'url',
  gender: 'gender',
};

export const saveAvatar: Handler<CallArguments<'saveAvatar'>> = ({ state, clientId, userId, args }) => {
  const isNew = state.avatars.get(clientId, userId) === undefined;
  state.avatars.save(clientId, userId, args);
  const saved = state.avatars.get(clientId, userId);
  return isNew ? created(saved) : ok(saved);
};

export const updateProfile: Handler<CallArguments<'updateProfile'>> = ({ state, userId, args }) => {
  const { includes, ...given } = args;
  const named = new Set(includes.split(';').map((name) => fieldOf[name]));
  const applied = Object.fromEntries(
    Object.entries(given).filter(([field]) => named.has(field as keyof ProfileRecord)),
  );
  const record = { ...state.profiles.get(userId), ...applied };
  state.profiles.save(userId, record);
  return ok({ userId, ...record });
};

/** Operation 12 in this service: GET /v1/profile/{userId}. */
export const readProfile: Handler<CallArguments<'readProfile'>> = ({ state, clientId, args }) => {
  if (!state.users.exists(args.userId)) throw new Refusal(assumed.notFound, 'unknown_user', 'there is no such user');
  const avatar = state.avatars.get(clientId, args.userId) ?? null;
  return ok({ userId: args.userId, ...state.profiles.get(args.userId), avatar });
};
