import type { OutgoingCall, Stage } from '../call/index.ts';
import { definedFields, type Environment, placeOfCredential } from '../environment/index.ts';
import type { Exchange } from '../http/index.ts';
import { type AreaId, areaTitle, headerSets } from '../service/index.ts';
import { callOf, type FailedCall, type Failure, NotTried, outcomeOf } from '../verdict/index.ts';
import type { Log } from './log.ts';

export const MOST_REFUSALS = 3;

/** A refusal of a credential, with the status of the response. An entry without a status says that the credential worked again. */
export interface RefusalEntry {
  readonly credential: string;
  readonly area: AreaId;
  readonly status?: number;
  readonly call?: FailedCall;
}

/**
 * Stops sending a credential after `MOST_REFUSALS` consecutive 401 or 403 responses where success was expected. Calls whose headers were
 * changed on purpose don't add to this number. But the guard stops these calls, too: while the service refuses the valid credential, a
 * refusal says nothing about the changed headers.
 */
export function credentialGuard(log: Log<RefusalEntry>, environment: Environment): Stage {
  return (call) => {
    const { operation, changes, expected } = call;
    const credential = credentialOf(call);
    const own = log.all().filter((each) => each.credential === credential.name);
    // The refusals since the credential last worked.
    const refusals = own.slice(own.findLastIndex(({ status }) => status === undefined) + 1);
    if (refusals.length >= MOST_REFUSALS) throw notAccepted(credential.key, refusals, environment);
    if (changes.size > 0 || expected !== 'success') return undefined;
    return {
      ended: (exchange) => {
        if (!exchange) return;
        const { isAccepted, refusesCredential } = outcomeOf(exchange, environment.successWhen);
        if (refusesCredential) log.add(entryOf(exchange, credential.name));
        else if (isAccepted && refusals.length > 0) log.add({ credential: credential.name, area: operation.area });
      },
    };
  };
}

/** A refused credential, as a resident process remembers it. */
interface Refusal {
  /** The scenario that was refused first. Only this scenario tries the credential again. */
  readonly scenario: string;
  readonly call: Exchange;
  /** Areas that accept the credential. Scenarios that were never refused may still call these areas. */
  readonly accepting: Set<AreaId>;
  /**
   * All scenarios that were refused. Only the first of them still uses the credential; the calls of the others are stopped in every area.
   */
  readonly others: Set<string>;
}

/**
 * The refused credentials of a resident process, which repeats its scenarios. For each credential, one scenario tries it with one request per run,
 * and the calls of all other scenarios wait. Requests with a wrong credential every minute would look like an attack, and prove nothing new.
 */
export class RefusedCredentials {
  readonly #environment: Environment;
  readonly #refusals = new Map<CredentialKey, Refusal>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /**
   * The guard of one attempt to play a scenario. Without `scenario` it is the guard of undos, which never try a refused credential. If
   * `finds` is false, a refusal in this attempt doesn't stop the calls of other scenarios.
   */
  guard(scenario = '', finds = scenario !== ''): Stage {
    const before = new Map(this.#refusals);
    const met = new Map<CredentialKey, readonly Exchange[]>();
    return (call) => {
      const { key, name } = credentialOf(call);
      const known = this.#refusals.get(key);
      const isWaiting = this.isWaiting(key, call.operation.area, scenario);
      const own = met.get(key) ?? [];
      // The attempt that meets the refusal first may send up to MOST_REFUSALS requests with the credential. So if only one operation
      // refuses the credential, the clean-up of this attempt can still use it.
      const most = scenario === '' || (known && known === before.get(key)) ? 1 : MOST_REFUSALS;
      if (isWaiting || own.length >= most) {
        const refusals = (known && isWaiting ? [known.call] : own).map((each) => entryOf(each, name));
        throw notAccepted(key, refusals, this.#environment, isWaiting ? undefined : own.at(-1));
      }
      if (call.changes.size > 0) return undefined;
      return {
        ended: (exchange) => {
          if (!exchange) return;
          const { isAccepted, refusesCredential } = outcomeOf(exchange, this.#environment.successWhen);
          if (isAccepted) {
            met.delete(key);
            this.accept(key, [call.operation.area]);
          }
          // A 403 may be about the operation, and not the credential.
          if (refusesCredential !== 'unknown') return;
          met.set(key, [...(met.get(key) ?? []), exchange]);
          if (!finds || call.expected !== 'success') return;
          const first = { scenario, call: exchange, accepting: new Set<AreaId>(), others: new Set<string>() };
          this.#refusals.set(key, this.#refusals.get(key) ?? first);
          this.#refusals.get(key)?.others.add(scenario);
        },
      };
    };
  }

  /** Whether calls to an area must wait until the service accepts this credential from the scenario that tries it. */
  isWaiting(key: CredentialKey, area: AreaId, scenario = ''): boolean {
    const known = this.#refusals.get(key);
    return !!known && known.scenario !== scenario && (known.others.has(scenario) || !known.accepting.has(area));
  }

  /**
   * Notes that areas accepted a credential. If the area that refused the credential is among them, the refusal ends. Otherwise scenarios
   * that were never refused may call these areas again.
   */
  accept(key: CredentialKey, areas: readonly AreaId[]): void {
    const known = this.#refusals.get(key);
    for (const area of areas) known?.accepting.add(area);
    if (known?.accepting.has(known.call.area)) this.#refusals.delete(key);
  }

  /** Whether this scenario is the one that tries a refused credential. */
  isTriedBy(scenario: string): boolean {
    return this.#refusals.values().some((one) => one.scenario === scenario);
  }

  /**
   * Forgets the refused credentials that this scenario tries. The next scenario that is refused then tries them instead. Called if this
   * scenario did not fail because of the credential, or could not be judged.
   */
  leave(scenario: string): void {
    for (const [key, one] of this.#refusals) if (one.scenario === scenario) this.#refusals.delete(key);
  }
}

/**
 * The error of a call that is not sent because the service refused its credential before. `exchange` is the refusal that the call's own
 * scenario got.
 */
function notAccepted(
  key: CredentialKey,
  refusals: readonly RefusalEntry[],
  environment: Environment,
  exchange?: Exchange,
): NotTried {
  const place = placeOfCredential(environment, key);
  const failure: Failure = {
    ...{ verdict: 'refused', category: 'refused', grade: 'assumed', credential: key },
    reason: `${key} is not accepted (${inWords(refusals)}): check ${place}`,
    refused: {
      statuses: refusals.flatMap(({ status }) => status ?? []),
      areas: refusals.map(({ area }) => area),
      operations: refusals.flatMap(({ call }) => call?.operation ?? []),
      place,
      ...definedFields({ call: refusals.find(({ call }) => call)?.call }),
    },
  };
  return new NotTried(failure, { exchange });
}

function entryOf(exchange: Exchange, credential: string): RefusalEntry {
  const { area, response } = exchange;
  return { credential, area, ...definedFields({ status: response?.status }), call: callOf(exchange) };
}

export type CredentialKey = 'ACCESS_TOKEN' | 'API_KEY' | 'FRIEND_ACCESS_TOKEN';

/** Refusals in words, such as `401 at Friends, Stories; 403 at Profile`. */
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

/** The environment key of the credential that a header set contains. */
export function credentialKey(headerSet: keyof typeof headerSets, isFriend: boolean): CredentialKey {
  if (!(headerSets[headerSet] as readonly string[]).includes('authorization')) return 'API_KEY';
  return isFriend ? 'FRIEND_ACCESS_TOKEN' : 'ACCESS_TOKEN';
}
