import { expiryInToken, type Issue, IssuedSecret } from '../../call/credentials/issued-secret.ts';
import type { Credential } from '../../call/index.ts';
import type { Route } from '../../http/index.ts';
import type { Secret } from '../../redaction/index.ts';
import type { Environment } from '../environment.ts';
import type { Report } from '../keys/check-keys.ts';
import { type CredentialKey, credentialKeys, type SecretKey, type Values } from '../keys/keys.ts';
import { loadNow } from '../late-modules.ts';
import { commandKey } from '../secrets.ts';
import { shellWords } from '../shell-words.ts';
import type { TokenRequest } from './issuers.ts';

interface Sources {
  readonly name: string;
  readonly values: Partial<Values>;
  readonly secrets: Partial<Record<SecretKey, Secret>>;
  readonly commands: Partial<Record<CredentialKey, string>>;
  readonly route?: Route | undefined;
}

/** Issued credentials by environment, key and issuer. All loads of an environment in this process share them. */
const issuedSecrets = new Map<string, IssuedSecret>();

/** The credentials that a command or TOKEN_URL issues. They are issued at their first use, not here. */
export function issuedCredentials(sources: Sources, report: Report): Partial<Record<CredentialKey, IssuedSecret>> {
  const credentials: Partial<Record<CredentialKey, IssuedSecret>> = {};
  reportIncomplete(sources, report);
  for (const key of credentialKeys) {
    const command = sources.commands[key];
    const words = shellWords(command ?? '');
    const request = tokenRequest(key, sources);
    if (request && command) report(commandKey(key), 'is set as well as TOKEN_URL; remove one of them');
    else if (request && sources.secrets[key]) report('TOKEN_URL', `is set as well as ${key}; remove one of them`);
    else if (command && !words[0]) report(commandKey(key), 'names no program');
    else if (command)
      credentials[key] = shared(sources.name, key, command, loadNow('issuers').issueByCommand(key, words));
    else if (request)
      credentials[key] = shared(sources.name, key, revealed(request), loadNow('issuers').issueByOAuth(request));
  }
  return credentials;
}

function shared(environment: string, key: CredentialKey, from: string, issue: Issue): IssuedSecret {
  const id = JSON.stringify([environment, key, from]);
  const { brokerAddress, issueByBroker } = loadNow('broker');
  const broker = brokerAddress();
  const secret = issuedSecrets.get(id) ?? new IssuedSecret(broker ? issueByBroker(broker, environment, key) : issue);
  issuedSecrets.set(id, secret);
  return secret;
}

function tokenRequest(key: CredentialKey, { values, secrets, route }: Sources): TokenRequest | undefined {
  const { TOKEN_URL: url, TOKEN_CLIENT_ID: clientId = values.CLIENT_ID, TOKEN_AUTH: auth = 'basic' } = values;
  if (!url || clientId === undefined || key === 'API_KEY') return undefined;
  const isFriend = key === 'FRIEND_ACCESS_TOKEN';
  const refreshToken = isFriend ? secrets.FRIEND_TOKEN_REFRESH_TOKEN : secrets.TOKEN_REFRESH_TOKEN;
  const name = isFriend ? values.FRIEND_TOKEN_USERNAME : values.TOKEN_USERNAME;
  const password = isFriend ? secrets.FRIEND_TOKEN_PASSWORD : secrets.TOKEN_PASSWORD;
  const user = name !== undefined && password ? { name, password } : undefined;
  // Without a refresh token or a user, TOKEN_URL would issue a token of the client instead of the friend's.
  if (isFriend && !refreshToken && !user) return undefined;
  const { TOKEN_SCOPE: scope, TOKEN_AUDIENCE: audience } = values;
  const { TOKEN_CLIENT_SECRET: clientSecret } = secrets;
  return { key, url, clientId, auth, scope, audience, user, refreshToken, clientSecret, route };
}

/** Reports two mistakes: a user name that has no password (or the reverse), and keys that need TOKEN_URL if it is missing. */
function reportIncomplete({ values, secrets }: Sources, report: Report): void {
  const given: Readonly<Record<string, unknown>> = { ...values, TOKEN_AUTH: undefined, ...secrets };
  const ofOAuth = Object.keys(given).filter((key) => /^(FRIEND_)?TOKEN_(?!URL$)/.test(key) && given[key] !== undefined);
  if (!values.TOKEN_URL) for (const key of ofOAuth) report(key, 'needs TOKEN_URL, the address that issues tokens');
  for (const [one, other] of [
    ['TOKEN_USERNAME', 'TOKEN_PASSWORD'],
    ['FRIEND_TOKEN_USERNAME', 'FRIEND_TOKEN_PASSWORD'],
  ] as const) {
    if (given[one] === undefined && given[other] !== undefined) report(one, `is missing; ${other} needs it`);
    if (given[one] !== undefined && given[other] === undefined) report(other, `is missing; ${one} needs it`);
  }
}

/**
 * Everything that a token depends on, including its route, because a proxy or a certificate may change while a process runs. The text
 * contains secrets, so it must not leave the memory of this process.
 */
function revealed({ clientSecret, refreshToken, user, route, ...rest }: TokenRequest): string {
  const { url: proxy, username, password } = route?.proxyFor(rest.url) ?? {};
  const { key, passphrase, pfx, ...tls } = route?.tls ?? {};
  const secrets = [clientSecret, refreshToken, user?.password, password, key, passphrase].map((each) => each?.reveal());
  return JSON.stringify([rest, user?.name, proxy, username, route?.pins, tls, pfx?.toString('base64'), secrets]);
}

export interface CredentialEnd {
  readonly key: CredentialKey | 'CLIENT_CERT_FILE' | 'CLIENT_PKCS12_FILE';
  /** Time since the epoch, in ms. */
  readonly endsAt: number;
  /** Whether Sextant renews the credential before it ends. */
  readonly isRenewed: boolean;
}

export function credentialsOf({ caller, friend }: Environment): Partial<Record<CredentialKey, Credential>> {
  const all = { ACCESS_TOKEN: caller.accessToken, API_KEY: caller.apiKey, FRIEND_ACCESS_TOKEN: friend.accessToken };
  return Object.fromEntries(Object.entries(all).filter(([, credential]) => credential !== undefined));
}

/** Known expiry dates: the token's `exp`, the issuer's `expires_in`, the client certificate. */
export function credentialEnds(environment: Environment): CredentialEnd[] {
  const { tls, certificateEndsAt: endsAt } = environment.route ?? {};
  const key = tls?.pfx ? 'CLIENT_PKCS12_FILE' : 'CLIENT_CERT_FILE';
  const credentials = Object.entries(credentialsOf(environment)).flatMap(([key, credential]) => {
    const isRenewed = credential instanceof IssuedSecret;
    const endsAt = isRenewed ? credential.expiresAt : expiryInToken(credential.reveal());
    return endsAt === undefined ? [] : [{ key: key as CredentialKey, endsAt, isRenewed }];
  });
  return [...credentials, ...(endsAt === undefined ? [] : [{ key, endsAt, isRenewed: false } as const])];
}

/** Credentials that end soon or have ended, and that Sextant doesn't renew. */
export function endingCredentials(environment: Environment, now: number): CredentialEnd[] {
  return credentialEnds(environment).filter(
    ({ endsAt, isRenewed }) => !isRenewed && endsAt - now < environment.credentialWarningMs,
  );
}

/** The expiry in words: `ACCESS_TOKEN expires at 2026-11-22 18:40 UTC, and nothing renews it`. */
export function credentialEndText({ key, endsAt }: CredentialEnd, now: number): string {
  const at = `${new Date(endsAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `${key} ${endsAt > now ? 'expires' : 'expired'} at ${at}, and nothing renews it`;
}

/** The advice about a credential that expires: a new certificate, or an issuer instead of a fixed value. */
export function credentialCure({ key }: CredentialEnd): string {
  if (key.startsWith('CLIENT_')) return 'put a new certificate there';
  return key === 'API_KEY' ? 'set API_KEY_COMMAND' : `set ${key}_COMMAND or TOKEN_URL`;
}
