import type { ScenarioResult } from '../../run/index.ts';
import { type CredentialKey, credentialKey } from '../../safety/index.ts';
import { type AreaId, operations } from '../../service/index.ts';
import { refusedCredential } from '../status/cause.ts';
import type { ProbeTarget } from './targets.ts';

interface Refusal {
  readonly key: CredentialKey;
  /** The scenario that was refused first, and its run. */
  readonly tries: ProbeTarget;
  readonly result: ScenarioResult;
  /** Scenarios that were refused; those that send the caller's credentials are known. */
  readonly refused: Set<ProbeTarget>;
  /** Areas that were seen to accept it: their scenarios don't wait. */
  accepting: readonly AreaId[];
}

/** The result to record in place of a run. `held` is set if another scenario tries the credential. */
export interface Instead {
  readonly result: ScenarioResult;
  readonly held?: CredentialKey;
}

/**
 * Credentials that a service refuses. One scenario tries each, with one request an interval, and the others wait: requests with a wrong one by the
 * minute look like an attack, and prove nothing new. `isRefused` sends that request; `undefined`: only the scenario itself can tell.
 */
export function refusedCredentials(isRefused: (of: Refusal) => Promise<boolean | undefined>) {
  const all = new Set<Refusal>();
  const find = ({ environment }: ProbeTarget, isIt: (one: Refusal) => boolean) =>
    all.values().find((one) => one.tries.environment.name === environment.name && isIt(one));
  const refusalFor = (target: ProbeTarget) =>
    find(
      target,
      ({ key, refused, accepting }) =>
        refused.has(target) || (sends(target, key) && !accepting.some((area) => area === target.area)),
    );
  return {
    /** The result to record without a run, if another scenario tries a refused credential that this one would send. `startedAt` is an epoch, in ms. */
    held(target: ProbeTarget, startedAt: number): Instead | undefined {
      const { key, tries } = refusalFor(target) ?? {};
      return key && tries !== target ? { result: heldResult(target, key, startedAt), held: key } : undefined;
    },
    /** The result to record without a run, if this scenario tries a refused credential; it sends the one request of this interval. */
    async tried(target: ProbeTarget, startedAt: number): Promise<Instead | undefined> {
      const refusal = refusalFor(target);
      if (refusal?.tries !== target) return undefined;
      const answer = await isRefused(refusal);
      if (answer === false) all.delete(refusal);
      return answer ? { result: { ...refusal.result, startedAt, durationMs: 0, exchanges: [] } } : undefined;
    },
    /** Takes in an attempt: from the first refusal on, the others wait, even while it is being confirmed. */
    suspect(target: ProbeTarget, result: ScenarioResult, accepting?: readonly AreaId[]): void {
      const key = refusedCredential(result);
      const known = find(target, (one) => one.key === key);
      known?.refused.add(target);
      if (known && accepting) known.accepting = accepting;
      if (key && !known)
        all.add({ key, tries: target, result, refused: new Set([target]), accepting: accepting ?? [] });
    },
    /** Takes in a run that did not fail because of a credential: one that could not be judged leaves it to the next scenario to try. */
    clear(target: ProbeTarget): void {
      for (const one of all) if (one.tries === target) all.delete(one);
    },
  };
}

/** Whether an area has operations that send a credential of the caller; who sends the friend's is known when it was refused. */
function sends({ area }: ProbeTarget, key: CredentialKey): boolean {
  const all = Object.values(operations).filter((one) => area === 'all' || one.area === area);
  return all.some(({ headerSet }) => credentialKey(headerSet, false) === key);
}

/** The result that is recorded for a run that was held back. */
function heldResult({ scenario, area, effect }: ProbeTarget, key: string, startedAt: number): ScenarioResult {
  return {
    ...{ title: scenario.title, area, effect, file: scenario.file, startedAt, durationMs: 0, exchanges: [] },
    verdict: 'unknown',
    reason: `the suite could not judge: ${key} is refused (401), and one scenario an interval tries it`,
  };
}
