import { type OutgoingCall, type Stage, SuiteFault } from '../../client/index.ts';
import { areaTitle, headerSets } from '../../spec/index.ts';

/** A credential was refused so often that this run no longer sends it, to protect the account. */
export class NotTried extends SuiteFault {
  override readonly name = 'NotTried';
  override readonly category = 'refused';
  readonly credential: CredentialKey;
  readonly why: string;

  constructor(credential: CredentialKey, why: string) {
    super(`not tried: ${why}`);
    this.credential = credential;
    this.why = why;
  }
}

export const MOST_REFUSALS = 3;

/** That a credential was refused, in words; without words, that it worked again. */
export interface RefusalEntry {
  readonly credential: string;
  readonly refused?: string;
}

export interface RefusalLog {
  all(): readonly RefusalEntry[];
  add(entry: RefusalEntry): void;
}

/**
 * Stops sending a credential after `MOST_REFUSALS` consecutive 401 or 403 responses where success was expected. Calls whose
 * headers were changed on purpose don't count, but they stop as well: their refusal would prove nothing any more.
 */
export function credentialGuard(log: RefusalLog, variableOf: (key: CredentialKey) => string): Stage {
  return (call) => {
    const { operation, changes, expected } = call;
    const credential = credentialOf(call);
    const own = log.all().filter((each) => each.credential === credential.name);
    // Since it last worked.
    const worked = own.findLastIndex(({ refused }) => refused === undefined);
    const refusals = own.slice(worked + 1).flatMap(({ refused }) => refused ?? []);
    if (refusals.length >= MOST_REFUSALS) {
      throw new NotTried(
        credential.key,
        `${credential.key} is not accepted (${inWords(refusals)}): check ${variableOf(credential.key)}`,
      );
    }
    if (changes.size > 0 || expected !== 'success') return undefined;
    return {
      ended: (exchange) => {
        const status = exchange?.response?.status ?? 0;
        if (status === 401 || status === 403)
          log.add({ credential: credential.name, refused: `${status} at ${areaTitle(operation.area)}` });
        else if (status >= 200 && status < 300 && refusals.length > 0) log.add({ credential: credential.name });
      },
    };
  };
}

export type CredentialKey = 'ACCESS_TOKEN' | 'API_KEY' | 'FRIEND_ACCESS_TOKEN';

/** Refusals as `401 at Friends, Stories; 403 at Profile`. */
function inWords(refusals: readonly string[]): string {
  const byStatus = Map.groupBy(refusals, (line) => line.split(' at ')[0]);
  const areas = (lines: readonly string[]) => [...new Set(lines.map((line) => line.split(' at ')[1]))].join(', ');
  return [...byStatus].map(([status, lines]) => `${status} at ${areas(lines)}`).join('; ');
}

/** The credential of a call: its key in the environment, and a name that isn't secret. */
function credentialOf({ operation, session }: OutgoingCall): { readonly key: CredentialKey; readonly name: string } {
  const { clientId, userId } = session.caller;
  const key = credentialKey(operation.headerSet, session.actor !== '');
  return { key, name: key === 'API_KEY' ? `key of ${clientId}` : `token of ${userId}` };
}

/** The key in the environment of the credential that a header set has. */
export function credentialKey(headerSet: keyof typeof headerSets, isFriend: boolean): CredentialKey {
  if (!(headerSets[headerSet] as readonly string[]).includes('authorization')) return 'API_KEY';
  return isFriend ? 'FRIEND_ACCESS_TOKEN' : 'ACCESS_TOKEN';
}
