import type { HeaderName } from '../spec/index.ts';
import type { Secret } from './redaction/secret.ts';
import { SuiteFault } from './suite-fault.ts';

/** Who calls, and from where: what the headers of the three header sets are made of. */
export interface Caller {
  readonly clientId: string;
  readonly userId: string;
  readonly accessToken?: Secret;
  /** The scheme word before the token, where it isn't the document's `bearer`. */
  readonly scheme?: string;
  readonly apiKey?: Secret;
  readonly app: Readonly<Record<`app-${'bundle' | 'ver' | 'platform' | 'lang' | 'env'}`, string>>;
}

/** A caller lacks what a header needs. */
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

function credential(secret: Secret | undefined, key: string, scheme: string) {
  if (!secret) throw new MissingCredential(`${key} is not set`);
  return { masked: `${scheme}${secret}`, secret: scheme + secret.reveal() };
}
