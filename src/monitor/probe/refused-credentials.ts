import { type CredentialKey, credentialKey } from '../../engine/safety/index.ts';
import type { ScenarioResult } from '../../runner/index.ts';
import { operations } from '../../spec/index.ts';
import { refusedCredential } from '../status/cause.ts';
import { indicatorOf } from '../status/status.ts';
import type { ProbeTarget } from './targets.ts';

interface Refusal {
  readonly key: CredentialKey;
  /** The scenario that met it first, and its refused run. */
  readonly tries: ProbeTarget;
  readonly result: ScenarioResult;
  /** Scenarios that were refused; those that send the caller's credentials are known. */
  readonly refused: Set<ProbeTarget>;
  /** A failure that is being confirmed keeps the others waiting, too. */
  isConfirmed: boolean;
  /** When somebody asked last whether it is still refused, by the steady clock, and the answer. */
  asked?: { readonly at: number; readonly isRefused: Promise<boolean | undefined> };
}

/** The result to record in place of a run. `held` is set if another scenario tries the credential. */
interface Instead {
  readonly result: ScenarioResult;
  readonly held?: CredentialKey;
}

/**
 * Credentials that a service refuses. Each is tried with one request an interval: requests with a wrong one by the minute look like an attack, and
 * prove nothing new. `isRefused` sends that request; `undefined`: only a scenario can tell.
 */
export function refusedCredentials(isRefused: (of: Refusal) => Promise<boolean | undefined>) {
  const all = new Set<Refusal>();
  const find = ({ environment }: ProbeTarget, isIt: (one: Refusal) => boolean) =>
    all.values().find((one) => one.tries.environment.name === environment.name && isIt(one));
  const note = (target: ProbeTarget, result: ScenarioResult) => {
    const key = refusedCredential(result, target.environment);
    const known = find(target, (one) => one.key === key);
    if (known) known.refused.add(target);
    else if (key) all.add({ key, tries: target, result, refused: new Set([target]), isConfirmed: false });
  };
  return {
    /**
     * The result to record without a run, if the scenario would send a refused credential. `now`: by the steady clock,
     * in ms.
     */
    async instead(target: ProbeTarget, everyMs: number, now: number, startedAt: number): Promise<Instead | undefined> {
      const refusal = find(target, ({ key, refused }) => refused.has(target) || sends(target, key));
      if (!refusal) return undefined;
      const { key, tries, result, isConfirmed, asked } = refusal;
      if (isConfirmed && now - (asked?.at ?? 0) >= everyMs) refusal.asked = { at: now, isRefused: isRefused(refusal) };
      const answer = isConfirmed && (await refusal.asked?.isRefused);
      if (isConfirmed && answer === false) all.delete(refusal);
      if (!all.has(refusal)) return undefined;
      if (tries !== target) return { result: heldResult(target, key, startedAt), held: key };
      return answer ? { result: { ...result, startedAt, durationMs: 0, exchanges: [] } } : undefined;
    },
    /** Takes in an attempt that may be confirmed: from the first refusal on, the others wait. */
    suspect: note,
    /** Takes in a run, and whether the credential is why it failed. */
    note(target: ProbeTarget, last: ScenarioResult, isConfirmed: boolean, now: number): void {
      if (isConfirmed) note(target, last);
      for (const one of [...all].filter(({ tries }) => tries === target))
        if (isConfirmed) {
          one.isConfirmed = true;
          one.asked ??= { at: now, isRefused: Promise.resolve(true) };
        } else if (!one.isConfirmed || indicatorOf(last) !== undefined) all.delete(one);
    },
  };
}

/** Whether an area has operations that send a credential of the caller; who sends the friend's is known when it was refused. */
function sends({ area }: ProbeTarget, key: CredentialKey): boolean {
  const all = Object.values(operations).filter((one) => area === 'all' || one.area === area);
  return all.some(({ headerSet }) => credentialKey(headerSet, false) === key);
}

/** The result that is recorded for a run that was held back. `startedAt` is an epoch, in ms. */
function heldResult({ scenario, area, effect }: ProbeTarget, key: string, startedAt: number): ScenarioResult {
  return {
    ...{ title: scenario.title, area, effect, file: scenario.file, startedAt, durationMs: 0, exchanges: [] },
    verdict: 'unknown',
    reason: `the suite could not judge: ${key} is refused (401), and one scenario an interval tries it`,
  };
}
