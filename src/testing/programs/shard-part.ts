import type { Part } from '../../reporting/merge/parts.ts';
import type { RunIdentity } from '../../reporting/run-facts.ts';
import type { TestOutcome } from '../../reporting/summary.ts';

/** The results of a shard of one run, as a job may have left them. */
export function shardPart(folder: string, run: Partial<RunIdentity>, outcomes: readonly TestOutcome[] = []): Part {
  const identity: RunIdentity = {
    seed: '7',
    commit: 'c1',
    selection: '',
    shard: null,
    startedAt: '2026-11-21T10:00:00.000Z',
    status: 'passed',
    errors: 0,
    ...run,
  };
  return { folder, facts: { run: identity, common: { Seed: '7' }, environments: {} }, outcomes, calls: [] };
}
