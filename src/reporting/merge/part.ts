import { basename, join } from 'node:path';
import { fileRoles, listFolder, readText, readTextIfAny } from '../../config/files/index.ts';
import { type LoggedCall, loggedCalls, outputFiles } from '../../scenario/index.ts';
import type { RunFacts, RunIdentity } from '../run-facts.ts';
import type { TestOutcome } from '../summary.ts';

/** The results of one shard, as its job left them. */
export interface Part {
  /** As the user named it. */
  readonly folder: string;
  readonly run: RunIdentity;
  readonly facts: RunFacts;
  readonly outcomes: readonly TestOutcome[];
  readonly calls: readonly LoggedCall[];
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
    if ('run' in own) return [own];
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
    const facts = JSON.parse(text) as RunFacts;
    const outcomes = JSON.parse(readText(files.outcomes, fileRoles.shard)) as TestOutcome[];
    if (!facts?.run || !Array.isArray(outcomes)) return { folder, why: 'is from an older version of Sextant' };
    return { folder, run: facts.run, facts, outcomes, calls: loggedCalls(folder) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { folder, why: 'has half a file in it: the disk of its job was full' };
  }
}
