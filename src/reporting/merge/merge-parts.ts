import type { LoggedCall } from '../../scenario/index.ts';
import type { RunFacts } from '../run-facts.ts';
import type { RunIdentity } from '../run-identity.ts';
import type { TestOutcome } from '../summary.ts';
import type { Compared } from './compare-parts.ts';
import type { Part } from './part.ts';

/** The results of all shards as those of one run. */
export interface Merged {
  readonly facts: RunFacts & { readonly run: RunIdentity };
  /** With one for each shard that is missing or was cut short. */
  readonly outcomes: readonly TestOutcome[];
  readonly calls: readonly LoggedCall[];
  /** The outcomes that stand for no test, but for what is missing. */
  readonly gaps: readonly TestOutcome[];
}

export function mergeParts({ parts, count, missing }: Compared): Merged {
  const [first] = parts as readonly [Part, ...Part[]];
  const calls = parts.flatMap((part) => part.calls);
  const names = Object.keys(first.facts.environments);
  const gaps = [
    ...missing.map((index) => gap(names, count, index, 'is missing: its job left no results')),
    ...parts.flatMap((part) =>
      whatIsCutShort(part).map((why) => gap(names, count, part.run.shard?.index ?? 1, why, part.folder)),
    ),
  ];
  const run: RunIdentity = {
    ...first.run,
    shard: null,
    startedAt: parts.map(({ run: { startedAt } }) => startedAt).sort()[0] as string,
    status: parts.every(({ run: { status } }) => status === 'passed') && gaps.length === 0 ? 'passed' : 'failed',
    errors: parts.reduce((sum, { run: { errors } }) => sum + errors, 0),
  };
  const common = {
    ...first.facts.common,
    Requests: String(calls.length),
    ...(count > 1 ? { Shards: String(count) } : {}),
  };
  const environments = Object.fromEntries(names.map((name) => [name, factsOf(name, parts)]));
  return {
    facts: { run, common, environments },
    outcomes: [...parts.flatMap((part) => part.outcomes), ...gaps],
    calls,
    gaps,
  };
}

/** What an environment's facts are together: its requests are added, its servers listed. */
function factsOf(name: string, parts: readonly Part[]): Record<string, string> {
  const all = parts.map(({ facts }) => facts.environments[name] ?? {});
  const servers = [...new Set(all.flatMap(({ Server }) => Server?.split(', ') ?? []))].sort();
  return {
    ...all[0],
    Requests: String(all.reduce((sum, { Requests = '0' }) => sum + Number(Requests), 0)),
    ...(servers.length > 0 ? { Server: servers.join(', ') } : {}),
  };
}

/** A run that did not come to its own end may look green: its tests did not start. */
function whatIsCutShort({ run, outcomes }: Part): string[] {
  if (run.status === 'interrupted' || run.status === 'timedout') return [`was cut short: ${run.status}`];
  const isExplained = outcomes.some(({ outcome }) => outcome === 'failed' || outcome === 'unknown');
  if (run.errors > 0) return ['had an error outside its tests; its log shows it'];
  return run.status === 'failed' && !isExplained ? ['failed without a failed test; its log shows why'] : [];
}

function gap(names: readonly string[], count: number, index: number, why: string, folder?: string): TestOutcome {
  const title = `shard ${index} of ${count}`;
  const reason = `${title} ${why}${folder ? ` (${folder})` : ''}`;
  return { environment: names[0] ?? '', title, area: 'all', outcome: 'unknown', reason, seconds: 0, message: reason };
}
