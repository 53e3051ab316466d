import { type VerdictFacts, verdicts } from '../client/index.ts';
import { type RunAllOptions, runAll, type ScenarioResult, scenarios } from '../runner/index.ts';

/** Whether there is anything to be learned from a service, as its scenarios stand. */
export type Preflight =
  | { readonly kind: 'healthy' }
  /** A documented or assumed expectation broke: what would be learned is wrong. */
  | { readonly kind: 'failing'; readonly lines: readonly string[] }
  /** Nobody is there, or nobody lets us in. */
  | { readonly kind: 'closed'; readonly lines: readonly string[] };

/** Runs every allowed scenario once. */
export async function preflight(options: RunAllOptions): Promise<Preflight> {
  const environment = { ...options.environment, drift: 'warn' } as const;
  return preflightOf(await runAll(await scenarios(), { ...options, environment }));
}

/** Drift is what a survey is there to look at; a promise of the document that is broken is not. */
export function preflightOf(results: readonly Pick<ScenarioResult, 'title' | 'verdict' | 'reason'>[]): Preflight {
  const of = (isMeant: (facts: VerdictFacts) => boolean) =>
    results
      .filter(({ verdict }) => isMeant(verdicts[verdict]))
      .map(({ title, verdict, reason = '' }) => `${verdict}: ${title}: ${reason}`);
  const failed = of(({ health, fellShort }) => health === 'down' && fellShort === 'behaviour');
  if (failed.length > 0) return { kind: 'failing', lines: failed };
  const closed = of(({ fellShort }) => fellShort === 'connection' || fellShort === 'credentials');
  return closed.length > 0 ? { kind: 'closed', lines: closed } : { kind: 'healthy' };
}
