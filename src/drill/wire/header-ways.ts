import { type HeaderName, headerSets, headers, type Operation } from '../../spec/index.ts';
import { type Act, type Met, type Way, waysOf } from './act.ts';

const names = Object.keys(headers) as HeaderName[];
const has = (name: HeaderName) => (operation: Operation) =>
  (headerSets[operation.headerSet] as readonly string[]).includes(name);

/** The request with the right header put in; where the right one isn't known, what was accepted before is told again. */
function accepted({ asked, forward, wire, operation }: Met, name: HeaderName) {
  const right = wire.identities.rightHeaders(asked.headers)?.[name];
  if (right === undefined) return wire.replayed(operation, asked);
  return forward({ ...asked, headers: { ...asked.headers, [name]: right } });
}

const isRight = ({ asked, wire }: Met, name: HeaderName) =>
  asked.headers[name] !== undefined && wire.identities.rightHeaders(asked.headers)?.[name] === asked.headers[name];

/** The header isn't checked: the right one is put in. */
const unchecked =
  (name: HeaderName): Act =>
  (met) =>
    isRight(met, name) ? undefined : accepted(met, name);

/** It is only looked whether there is one. */
const ofAnyValue =
  (name: HeaderName): Act =>
  (met) =>
    !met.asked.headers[name] || isRight(met, name) ? undefined : accepted(met, name);

/** The token of one user is accepted beside the id of another. The request is made as the token's user, so that it can be undone. */
const namedUser: Act = (met) => {
  const { asked, wire } = met;
  const named = asked.headers['mm-user-id'];
  const isAnother = wire.identities.isUser(named) && wire.identities.ofToken(asked.headers.authorization) !== undefined;
  return !isAnother || isRight(met, 'mm-user-id') ? undefined : accepted(met, 'mm-user-id');
};

/** A header or a credential isn't checked, or another user's identity is accepted (specification, part 5). */
export const headerWays: readonly Way[] = [
  ...names.flatMap((header) =>
    waysOf('auth', has(header), { [`${header}-unchecked`]: { header, act: unchecked(header) } }),
  ),
  ...names
    .filter((name) => headers[name].kind === 'credential')
    .flatMap((header) =>
      waysOf('auth', has(header), { [`${header}-of-any-value`]: { header, act: ofAnyValue(header) } }),
    ),
  ...waysOf('auth', ({ headerSet }) => headerSet === 'user', {
    'acts-for-the-user-that-is-named': {
      header: 'mm-user-id',
      act: namedUser,
      needs: 'a second user who can sign in: FRIEND_USER_ID and FRIEND_ACCESS_TOKEN, or PROVISION_URL',
    },
  }),
];
