import { type CredentialKey, credentialKey } from '../../engine/safety/index.ts';
import type { ScenarioResult } from '../../runner/index.ts';
import { operations } from '../../spec/index.ts';
import { refusedCredential } from '../status/cause.ts';
import { indicatorOf } from '../status/status.ts';
import type { ProbeTarget } from './targets.ts';

interface Refusal {
  readonly key: CredentialKey;
  /** The scenario that keeps trying the credential, and its refused run. */
  tries: ProbeTarget;
  readonly result: ScenarioResult;
  /** Scenarios that send the credential: they wait. */
  readonly held: Set<ProbeTarget>;
  /** A failure that is being confirmed keeps the others waiting, too. */
  isConfirmed: boolean;
}

/**
 * Credentials that a service refuses. Each is tried by one scenario an interval: requests with a wrong one by the minute look like an attack, and
 * prove nothing new.
 */
export function refusedCredentials() {
  const refused = new Map<string, readonly Refusal[]>();
  const of = ({ environment: { name } }: ProbeTarget) => refused.get(name) ?? [];
  return {
    /** The refused credential that a scenario would send, unless it is the one that tries it. */
    holding(target: ProbeTarget): CredentialKey | undefined {
      const refusal = of(target).find(({ key, held }) => held.has(target) || sends(target, key));
      if (!refusal || refusal.tries === target) return undefined;
      refusal.held.add(target);
      // A scenario with a shorter interval notices the end sooner.
      if (target.intervalMs >= refusal.tries.intervalMs) return refusal.key;
      refusal.tries = target;
      return undefined;
    },
    /** The run in which the credential that this scenario tries was refused. */
    triedBy(target: ProbeTarget): ScenarioResult | undefined {
      return of(target).find(({ tries, isConfirmed }) => isConfirmed && tries === target)?.result;
    },
    /** Takes in an attempt that may be confirmed: from the first refusal on, the others wait. */
    suspect(target: ProbeTarget, result: ScenarioResult): void {
      const key = refusedCredential(result, target.environment);
      const known = of(target);
      const same = known.find((one) => one.key === key);
      if (same) same.held.add(target);
      else if (key)
        refused.set(target.environment.name, [
          ...known,
          { key, tries: target, result, held: new Set([target]), isConfirmed: false },
        ]);
    },
    /** Takes in a run, and whether the credential is why it failed; returns the scenarios that were held, and may run again. */
    note(target: ProbeTarget, last: ScenarioResult, isConfirmed: boolean): readonly ProbeTarget[] {
      if (isConfirmed) this.suspect(target, last);
      const tried = of(target).filter(({ tries }) => tries === target);
      for (const one of tried) one.isConfirmed ||= isConfirmed;
      const isOver = ({ isConfirmed: isKnown }: Refusal) =>
        !isKnown || (!isConfirmed && indicatorOf(last) !== undefined);
      const over = tried.filter(isOver);
      refused.set(
        target.environment.name,
        of(target).filter((one) => !over.includes(one)),
      );
      return over.flatMap(({ held }) => [...held].filter((one) => one !== target));
    },
  };
}

/** Whether an area has operations that send a credential of the caller; who sends the friend's is known when it was refused. */
function sends({ area }: ProbeTarget, key: CredentialKey): boolean {
  const all = Object.values(operations).filter((one) => area === 'all' || one.area === area);
  return all.some(({ headerSet }) => credentialKey(headerSet, false) === key);
}

/** The result that is recorded for a run that was held back. `startedAt` is an epoch, in ms. */
export function heldResult({ scenario, area, effect }: ProbeTarget, key: string, startedAt: number): ScenarioResult {
  return {
    title: scenario.title,
    area,
    effect,
    file: scenario.file,
    verdict: 'unknown',
    reason: `the suite could not judge: ${key} is refused (401), and one scenario an interval tries it`,
    startedAt,
    durationMs: 0,
    exchanges: [],
  };
}
