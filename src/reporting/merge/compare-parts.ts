import { ConfigurationError } from '../../config/index.ts';
import type { Part, Unreadable } from './part.ts';

export type Compared = ReturnType<typeof compareParts>;

/** What the shards of one run have in common. @throws ConfigurationError with everything that shows that they are not of one run. */
export function compareParts(found: readonly (Part | Unreadable)[]) {
  const parts = found.filter((each): each is Part => 'run' in each);
  const [first] = parts;
  if (!first) throw notOneRun(found.map((each) => `${each.folder} ${'why' in each ? each.why : ''}`));
  const problems = traits.flatMap(({ name, of }) => differing(name, of, parts));
  const count = countOf(first);
  const byIndex = Map.groupBy(parts, indexOf);
  for (const [index, same] of byIndex)
    if (same.length > 1)
      problems.push(`shard ${index} of ${count} is there twice: ${same.map(({ folder }) => folder).join(', ')}`);
  if (problems.length > 0) throw notOneRun(problems);
  const all = Array.from({ length: count }, (_, index) => index + 1);
  return {
    /** In the order of the shards. */
    parts: parts.toSorted((a, b) => indexOf(a) - indexOf(b)),
    /** The number of shards that the run was divided into. */
    count,
    /** The indices of shards without results, from 1. */
    missing: all.filter((index) => !byIndex.has(index)),
  };
}

function notOneRun(problems: readonly string[]): ConfigurationError {
  const text = problems.length === 1 ? ` ${problems[0]}` : problems.map((problem) => `\n  ${problem}`).join('');
  return new ConfigurationError(`These are not the shards of one run:${text}`);
}

const traits: readonly { readonly name: string; readonly of: (part: Part) => string }[] = [
  { name: 'commits', of: ({ run }) => run.commit ?? 'unknown' },
  { name: 'seeds', of: ({ run }) => run.seed },
  { name: 'options', of: ({ run }) => run.selection || 'none' },
  { name: 'numbers of shards', of: (part) => String(countOf(part)) },
  { name: 'environments', of: environmentsOf },
];

/** Addresses and permissions belong to an environment; what its servers said and how many requests were sent do not. */
function environmentsOf({ facts }: Part): string {
  const own = Object.entries(facts.environments).map(([name, { Requests: _, Server: __, ...rest }]) => [name, rest]);
  return JSON.stringify(own.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

function differing(name: string, of: (part: Part) => string, parts: readonly Part[]): string[] {
  const values = Map.groupBy(parts, of);
  if (values.size < 2) return [];
  const shown = [...values].map(([value, same]) => `${same.map(({ folder }) => folder).join(', ')}: ${value}`);
  return [`their ${name} differ: ${shown.join(' · ')}`];
}

function countOf({ run }: Part): number {
  return run.shard?.count ?? 1;
}

function indexOf({ run }: Part): number {
  return run.shard?.index ?? 1;
}
