import type { ScenarioResult } from '../../runner/index.ts';
import { areasSending, refusedCredential } from '../status/cause.ts';
import { indicatorOf } from '../status/status.ts';
import type { ProbeTarget } from './targets.ts';

interface Refusal {
  readonly key: string;
  /** The scenario that goes on trying. */
  tries: ProbeTarget;
  readonly held: Set<ProbeTarget>;
}

/**
 * Credentials that a service refuses. Each is tried by one scenario an interval: requests with a wrong one by the minute look like an attack, and
 * prove nothing new.
 */
export function refusedCredentials() {
  const refused = new Map<string, Refusal[]>();
  const of = ({ environment: { name } }: ProbeTarget) => refused.get(name) ?? [];
  const sends = ({ area }: ProbeTarget, { key }: Refusal) => area === 'all' || areasSending(key).includes(area);
  return {
    /** The refused credential that a scenario would send, unless it is the one that tries it. */
    holding(target: ProbeTarget): string | undefined {
      const refusal = of(target).find((one) => sends(target, one));
      if (!refusal || refusal.tries === target) return undefined;
      // What runs more often finds its end sooner.
      if (target.intervalMs < refusal.tries.intervalMs) {
        refusal.held.add(refusal.tries);
        refusal.tries = target;
        return undefined;
      }
      refusal.held.add(target);
      return refusal.key;
    },
    /** Takes in a run; returns the scenarios that were held, and may run again. */
    note(target: ProbeTarget, last: ScenarioResult, isConfirmed: boolean): readonly ProbeTarget[] {
      const { name } = target.environment;
      const key = isConfirmed ? refusedCredential(last) : undefined;
      const known = of(target);
      if (key !== undefined && !known.some((one) => one.key === key))
        refused.set(name, [...known, { key, tries: target, held: new Set() }]);
      if (indicatorOf(last) !== 'good') return [];
      const over = known.filter((one) => one.tries === target);
      refused.set(
        name,
        known.filter((one) => !over.includes(one)),
      );
      return over.flatMap(({ held }) => [...held]);
    },
  };
}

/** What is written down of a run that did not take place. `startedAt` is an epoch, in ms. */
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
