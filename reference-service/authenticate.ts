import { timingSafeEqual } from 'node:crypto';
import { type HeaderName, headerSets, headers, type Operation } from '../src/service/index.ts';
import { assumed } from './assumptions/values.ts';
import { Refusal } from './refusal.ts';
import type { State } from './state/index.ts';

export interface Identity {
  readonly userId: string;
  readonly clientId: string;
}

export type HeaderReader = (name: HeaderName) => string | undefined;

/**
 * Returns the caller whom the request's headers name. Rejects a missing or empty header, an unknown credential, and an id that doesn't
 * belong to the credential. The operation's header set names the headers to check; faults use `unchecked` to leave some of them out.
 * @throws Refusal
 */
export function authenticate(
  state: State,
  { headerSet }: Operation,
  read: HeaderReader,
  unchecked: ReadonlySet<HeaderName>,
): Identity {
  const checked = headerSets[headerSet].filter((name) => !unchecked.has(name));
  for (const name of checked) requirePresence(name, read(name));
  const claimed: Identity = { userId: read('mm-user-id') ?? '', clientId: read('mm-client-id') ?? '' };
  if (headerSet === 'user') return byToken(state, read, checked, claimed);
  const clientId = byApiKey(state, read, checked, claimed);
  if (headerSet === 'flag' && checked.includes('mm-user-id') && !state.users.find({ userId: claimed.userId })) {
    throw new Refusal(assumed.wrongIdentity, 'unknown_user', 'mm-user-id names no user');
  }
  if (checked.includes('app-ver' as never) && !/^\d+(\.\d+)*$/.test(read('app-ver') ?? '')) {
    throw new Refusal(assumed.missingHeader, 'invalid_header', 'app-ver must be numeric text');
  }
  return { ...claimed, clientId };
}

function requirePresence(name: HeaderName, value: string | undefined): void {
  if (value?.trim()) return;
  const isCredential = headers[name].kind === 'credential';
  throw new Refusal(
    isCredential ? assumed.missingCredential : assumed.missingHeader,
    'missing_header',
    `the header ${headers[name].name} is missing or empty`,
  );
}

function byToken(state: State, read: HeaderReader, checked: readonly HeaderName[], claimed: Identity): Identity {
  const [, token = ''] = /^bearer +(\S+)$/i.exec(read('authorization') ?? '') ?? [];
  const user = state.users.find({ accessToken: token });
  if (!user) {
    if (checked.includes('authorization'))
      throw new Refusal(assumed.invalidCredential, 'invalid_token', 'the access token is not valid', {
        'www-authenticate': 'Bearer',
      });
    return claimed;
  }
  // A user's token is valid for every client (the app that the user signs in to), so the service only checks that the client exists.
  const client = state.clients.find({ clientId: claimed.clientId });
  if (checked.includes('mm-client-id') && !client)
    throw new Refusal(assumed.wrongIdentity, 'wrong_client', 'the token is for another client');
  if (checked.includes('mm-user-id') && user.userId !== claimed.userId)
    throw new Refusal(assumed.wrongIdentity, 'wrong_user', 'the token is for another user');
  return { userId: user.userId, clientId: client?.clientId ?? user.clientId };
}

/**
 * Returns the id of the client (an app) that `mm-client-id` names. If there is no such client and the header isn't checked, returns the id
 * of the client to which the API key belongs.
 */
function byApiKey(state: State, read: HeaderReader, checked: readonly HeaderName[], { clientId }: Identity): string {
  const given = read('mm-api-key') ?? '';
  const expected = state.clients.find({ clientId })?.apiKey;
  if (expected === undefined && checked.includes('mm-client-id'))
    throw new Refusal(assumed.wrongIdentity, 'unknown_client', 'mm-client-id names no client');
  const client = expected === undefined ? state.clients.find({ apiKey: given })?.clientId : clientId;
  const isRight = expected === undefined ? client !== undefined : same(given, expected);
  if (!isRight && checked.includes('mm-api-key'))
    throw new Refusal(assumed.invalidCredential, 'invalid_api_key', 'the API key is not valid');
  return client ?? clientId;
}

function same(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
