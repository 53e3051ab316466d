import type { OutgoingCall, Stage } from '../call/index.ts';
import { definedFields, type Environment, placeOfCredential } from '../environment/index.ts';
import { type AreaId, areaTitle, headerSets } from '../service/index.ts';
import { callOf, type FailedCall, NotTried, outcomeOf } from '../verdict/index.ts';

export const MOST_REFUSALS = 3;

/** That a credential was refused; without a status, that it worked again. */
export interface RefusalEntry {
  readonly credential: string;
  readonly area: AreaId;
  readonly status?: number;
  readonly call?: FailedCall;
}

export interface RefusalLog {
  all(): readonly RefusalEntry[];
  add(entry: RefusalEntry): void;
}

/**
 * Stops sending a credential after `MOST_REFUSALS` consecutive 401 or 403 responses where success was expected. Calls whose
 * headers were changed on purpose don't count, but they stop as well: their refusal would prove nothing any more.
 */
export function credentialGuard(log: RefusalLog, environment: Environment): Stage {
  return (call) => {
    const { operation, changes, expected } = call;
    const credential = credentialOf(call);
    const own = log.all().filter((each) => each.credential === credential.name);
    // Since it last worked.
    const refusals = own.slice(own.findLastIndex(({ status }) => status === undefined) + 1);
    if (refusals.length >= MOST_REFUSALS) {
      const place = placeOfCredential(environment, credential.key);
      throw new NotTried({
        ...{ verdict: 'refused', category: 'refused', grade: 'assumed' },
        reason: `${credential.key} is not accepted (${inWords(refusals)}): check ${place}`,
        credential: credential.key,
        refused: {
          statuses: refusals.flatMap(({ status }) => status ?? []),
          areas: refusals.map(({ area }) => area),
          operations: refusals.flatMap(({ call }) => call?.operation ?? []),
          place,
          ...definedFields({ call: refusals.find(({ call }) => call)?.call }),
        },
      });
    }
    if (changes.size > 0 || expected !== 'success') return undefined;
    return {
      ended: (exchange) => {
        if (!exchange) return;
        const { status, isAccepted, refusesCredential } = outcomeOf(exchange, environment.successWhen);
        const entry = { credential: credential.name, area: operation.area };
        if (refusesCredential) log.add({ ...entry, status, call: callOf(exchange) });
        else if (isAccepted && refusals.length > 0) log.add(entry);
      },
    };
  };
}

export type CredentialKey = 'ACCESS_TOKEN' | 'API_KEY' | 'FRIEND_ACCESS_TOKEN';

/** Refusals as `401 at Friends, Stories; 403 at Profile`. */
function inWords(refusals: readonly RefusalEntry[]): string {
  const byStatus = Map.groupBy(refusals, ({ status }) => status);
  const areas = (all: readonly RefusalEntry[]) => [...new Set(all.map(({ area }) => areaTitle(area)))].join(', ');
  return [...byStatus].map(([status, all]) => `${status} at ${areas(all)}`).join('; ');
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
