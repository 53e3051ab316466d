import { basename, join } from 'node:path';
import { fileRoles, listFolder, readText, readTextIfAny } from '../../config/files/index.ts';
import { ConfigurationError } from '../../config/index.ts';
import { loggedCalls, outputFiles } from '../../scenario/index.ts';
import type { TestOutcome } from '../summary.ts';
import type { EndedRun } from '../write-run.ts';

/** The results of one shard, as its job left them. */
export interface Part extends EndedRun {
  /** As the user named it. */
  readonly folder: string;
}

/** A folder without the results of a run that ended. */
export interface Unreadable {
  readonly folder: string;
  readonly why: string;
}

/**
 * The results in some folders; a folder without any may hold the folders of the results, as pipelines download them.
 * @throws FileTrouble
 */
export function readParts(folders: readonly string[]): (Part | Unreadable)[] {
  return folders.flatMap((folder) => {
    const own = readPart(folder);
    if ('facts' in own) return [own];
    const below = listFolder(folder, fileRoles.shard)
      .sort()
      .map((name) => join(folder, name))
      .filter(hasResults);
    return below.length > 0 ? below.map(readPart) : [own];
  });
}

/** Files of Allure's results, without the latencies, which are made of the calls of all parts. @throws FileTrouble */
export function allureFiles({ folder }: Part): string[] {
  const { allureResults } = outputFiles(folder);
  return listFolder(allureResults, fileRoles.shard)
    .filter((name) => !name.startsWith('.') && !name.endsWith('-perf.json'))
    .map((name) => join(allureResults, name));
}

/** Only a folder that a run wrote into counts: what else a pipeline downloads there is not a part. */
function hasResults(folder: string): boolean {
  const known = Object.values(outputFiles(folder)).map((path) => basename(path));
  try {
    return listFolder(folder, fileRoles.shard).some((name) => known.includes(name));
  } catch {
    // A file.
    return false;
  }
}

function readPart(folder: string): Part | Unreadable {
  const files = outputFiles(folder);
  const text = readTextIfAny(files.run, fileRoles.shard);
  if (text === undefined) return { folder, why: 'has no run.json: no run ended there' };
  try {
    const facts = JSON.parse(text) as EndedRun['facts'];
    const outcomes = JSON.parse(readText(files.outcomes, fileRoles.shard)) as TestOutcome[];
    if (!facts?.run || !Array.isArray(outcomes)) return { folder, why: 'is from an older version of Sextant' };
    return { folder, facts, outcomes, calls: loggedCalls(folder) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { folder, why: 'has half a file in it: the disk of its job was full' };
  }
}

export type Compared = ReturnType<typeof compareParts>;

/** What the shards of one run have in common. @throws ConfigurationError with everything that shows that they are not of one run. */
export function compareParts(found: readonly (Part | Unreadable)[]) {
  const parts = found.filter((each): each is Part => 'facts' in each);
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
  { name: 'commits', of: ({ facts }) => facts.run.commit ?? 'unknown' },
  { name: 'seeds', of: ({ facts }) => facts.run.seed },
  { name: 'options', of: ({ facts }) => facts.run.selection || 'none' },
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

function countOf({ facts }: Part): number {
  return facts.run.shard?.count ?? 1;
}

function indexOf({ facts }: Part): number {
  return facts.run.shard?.index ?? 1;
}
