import { type Credential, expiryInToken, IssuedSecret } from '../../client/index.ts';
import type { Environment } from '../environment.ts';
import type { CredentialKey } from '../keys/keys.ts';

/** Where the client's certificate stands. */
export type CertificateKey = 'CLIENT_CERT_FILE' | 'CLIENT_PKCS12_FILE';

/** When a credential of an environment ends. */
export interface CredentialEnd {
  readonly key: CredentialKey | CertificateKey;
  /** Epoch, in ms. */
  readonly endsAt: number;
  /** It is issued anew before that. */
  readonly isRenewed: boolean;
}

export function credentialsOf({ caller, friend }: Environment): Partial<Record<CredentialKey, Credential>> {
  const all = { ACCESS_TOKEN: caller.accessToken, API_KEY: caller.apiKey, FRIEND_ACCESS_TOKEN: friend.accessToken };
  return Object.fromEntries(Object.entries(all).filter(([, credential]) => credential !== undefined));
}

/** The ends that can be known: of a JSON Web Token, as its issuer said, or of the client's certificate. */
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

/** Those that nothing renews and that end soon, or have ended. */
export function endingCredentials(environment: Environment, now: number): CredentialEnd[] {
  return credentialEnds(environment).filter(
    ({ endsAt, isRenewed }) => !isRenewed && endsAt - now < environment.credentialWarningMs,
  );
}

/** `ACCESS_TOKEN expires at 2026-11-22 18:40 UTC, and nothing renews it`. */
export function credentialEndText({ key, endsAt }: CredentialEnd, now: number): string {
  const at = `${new Date(endsAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `${key} ${endsAt > now ? 'expires' : 'expired'} at ${at}, and nothing renews it`;
}

/** What renews a credential, in place of its value. */
export function credentialCure({ key }: CredentialEnd): string {
  if (key.startsWith('CLIENT_')) return 'put a new certificate there';
  return key === 'API_KEY' ? 'set API_KEY_COMMAND' : `set ${key}_COMMAND or TOKEN_URL`;
}
