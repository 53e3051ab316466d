import type { HeaderName } from '../../spec/index.ts';
import type { IssuedSecret } from '../credentials/issued-secret.ts';
import type { Secret } from '../redaction/secret.ts';
import { SuiteFault } from '../verdict/suite-fault.ts';

/** A secret that is known, or one that is issued when it is needed. */
export type Credential = Secret | IssuedSecret;

/** The caller: the source of the header values of the three header sets. */
export interface Caller {
  readonly clientId: string;
  readonly userId: string;
  readonly accessToken?: Credential;
  /** The scheme word before the token, if it isn't the specification's `bearer`. */
  readonly scheme?: string;
  readonly apiKey?: Credential;
  readonly app: Readonly<Record<`app-${'bundle' | 'ver' | 'platform' | 'lang' | 'env'}`, string>>;
}

/** The caller lacks the value of a header. */
export class MissingCredential extends SuiteFault {
  override readonly name = 'MissingCredential';
}

/** The value of a header for a caller. `Authorization` is `bearer <token>` (specification, part 5). */
export function headerValue(caller: Caller, name: HeaderName): { readonly masked: string; readonly secret?: string } {
  switch (name) {
    case 'authorization':
      return credential(caller.accessToken, 'ACCESS_TOKEN', `${caller.scheme ?? 'bearer'} `);
    case 'mm-api-key':
      return credential(caller.apiKey, 'API_KEY', '');
    case 'mm-client-id':
      return { masked: caller.clientId };
    case 'mm-user-id':
      return { masked: caller.userId };
    default:
      return { masked: caller.app[name] };
  }
}

function credential(secret: Credential | undefined, key: string, scheme: string) {
  if (!secret) throw new MissingCredential(`${key} is not set`);
  return { masked: `${scheme}${secret}`, secret: scheme + secret.reveal() };
}
