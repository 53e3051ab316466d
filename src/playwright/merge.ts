import { basename, join } from 'node:path';
import {
  fileRoles,
  isFolder,
  listFolder,
  makeFolder,
  readText,
  readTextIfAny,
  replaceText,
} from '../environment/files/index.ts';
import { ConfigurationError } from '../environment/index.ts';
import { parsedJson } from '../http/index.ts';
import { redact } from '../redaction/index.ts';
import { outcomeOfVerdict, type TestOutcome, trafficOf, unprovenOperations } from '../run/ending/index.ts';
import { type LoggedCall, loggedCalls, outputFiles } from '../scenario/index.ts';
import { callFacts, type RunFacts, type RunIdentity, requestsIn } from './run-facts.ts';
import { isUnjudged, told, whyUnproven } from './summary.ts';
import { writeRun } from './write-run.ts';

/** The results of a run, in one process or as shards. */
interface EndedRun {
  readonly facts: RunFacts & { readonly run: RunIdentity };
  readonly outcomes: readonly TestOutcome[];
  readonly calls: readonly LoggedCall[];
}

/** The results of one shard, as its job left them, in a folder as the user named it. */
export interface Part extends EndedRun {
  readonly folder: string;
}

/**
 * The results in some folders, or in the folders right below them, as pipelines download them.
 * @throws ConfigurationError where none are whole; FileTrouble
 */
export function readParts(folders: readonly string[]): Part[] {
  const all = folders.flatMap((folder) => {
    const below = listFolder(folder, fileRoles.given).map((name) => join(folder, name));
    return [folder, ...below.filter((each) => isFolder(each, fileRoles.given)).sort()];
  });
  const parts = all.flatMap(partIn);
  if (parts.length === 0) throw new ConfigurationError(`No run ended in ${folders.join(', ')}: there is no run.json.`);
  return parts;
}

function partIn(folder: string): Part[] {
  const files = outputFiles(folder);
  const text = readTextIfAny(files.run, fileRoles.given);
  if (text === undefined) return [];
  const facts = parsedJson(text) as EndedRun['facts'] | undefined;
  const outcomes = parsedJson(readText(files.outcomes, fileRoles.given)) as TestOutcome[] | undefined;
  // Half a file: the disk of its job was full. Its shard is missing.
  return facts && outcomes ? [{ folder, facts, outcomes, calls: loggedCalls(folder) }] : [];
}

/** @throws ConfigurationError, in one sentence, unless the parts are shards of one run, each at most once. */
export function assertOneRun(parts: readonly Part[]): void {
  const isCommon = (line: string) => parts.every(({ facts }) => identityLines(facts).includes(line));
  const differing = parts.flatMap(({ folder, facts }) => {
    const own = identityLines(facts).filter((line) => !isCommon(line));
    return own.length > 0 ? [`${folder}: ${own.join(', ')}`] : [];
  });
  const twice = [...Map.groupBy(parts, ({ facts }) => indexOf(facts.run))]
    .filter(([, same]) => same.length > 1)
    .map(([index, same]) => `shard ${index} is there twice (${same.map(({ folder }) => folder).join(', ')})`);
  const problems = [...(differing.length > 0 ? [`they differ (${differing.join(' · ')})`] : []), ...twice];
  if (problems.length > 0) throw new ConfigurationError(`These are not the shards of one run: ${problems.join('; ')}.`);
}

/** The lines that all shards of one run have in common. */
function identityLines({ run, environments }: Part['facts']): string[] {
  // The shards of one run may differ in the number of their requests and in the names of servers.
  const lines = Object.entries(environments).flatMap(([name, { Requests: _, Server: __, ...rest }]) => [
    name,
    ...Object.entries(rest).map(([key, value]) => `${name} ${key} ${value}`),
  ]);
  return [
    `commit ${run.commit ?? 'unknown'}`,
    `options ${run.selection || 'none'}`,
    `${countOf(run)} shards`,
    ...lines,
  ];
}

/** Shards as one run. `gaps` says why it is not whole, in one sentence each: such a run is red. */
export function mergeParts(parts: readonly Part[]): EndedRun & { readonly gaps: readonly string[] } {
  const [{ facts: first }] = parts as [Part];
  const runs = parts.map(({ facts }) => facts.run);
  const calls = parts.flatMap((part) => part.calls);
  const names = Object.keys(first.environments);
  const count = countOf(first.run);
  const there = new Set(runs.map(indexOf));
  const absent = Array.from({ length: count }, (_, index) => index + 1).filter((index) => !there.has(index));
  const gaps = [
    ...(absent.length > 0 ? [`Of ${count} shards, ${absent.join(', ')} left no results.`] : []),
    ...parts
      .filter((part) => !isWhole(part))
      .map(({ folder, facts: { run } }) => {
        const ended = `Shard ${indexOf(run)} of ${count} ended as ${run.status} (${folder})`;
        return `${ended}, and its tests don't show the whole reason; its log does.`;
      }),
  ];
  // Reports show a gap among the causes.
  const ofGaps = gaps.map((reason): TestOutcome => {
    const named = { environment: names[0] ?? '', title: reason, area: 'all' } as const;
    return { ...named, verdict: 'unknown', reason, seconds: 0, messages: [reason] };
  });
  const outcomes = [...parts.flatMap((part) => part.outcomes), ...ofGaps];
  const isProven = !whyUnproven(outcomes) && !isUnjudged({ unprovenOperations: unprovenOperations(outcomes) });
  const isGreen = runs.every(({ status }) => status === 'passed') && isProven && gaps.length === 0;
  const run: RunIdentity = {
    ...first.run,
    seed: [...new Set(runs.map(({ seed }) => seed))].join(', '),
    shard: null,
    startedAt: runs.map(({ startedAt }) => startedAt).sort()[0] as string,
    status: isGreen ? 'passed' : 'failed',
    errors: runs.reduce((sum, { errors }) => sum + errors, 0),
  };
  const common = { Seed: run.seed, Requests: requestsIn(calls), Shards: `${parts.length} of ${count}` };
  const environments = Object.fromEntries(
    names.map((name) => [name, { ...first.environments[name], ...callFacts(name, calls) }]),
  );
  return { facts: { run, common: { ...first.common, ...common }, environments }, outcomes, calls, gaps };
}

/** A run that did not come to its own end may look green, because its tests did not start. */
function isWhole({ facts: { run }, outcomes }: Part): boolean {
  const isRed = outcomes.some(({ verdict }) => ['failed', 'unknown'].includes(outcomeOfVerdict(verdict)));
  return run.status === 'passed' || (run.status === 'failed' && run.errors === 0 && isRed);
}

/** Writes the results of all shards into the output folder, as if one run had left them. @throws FileTrouble */
export function writeMerged(parts: readonly Part[]) {
  const { facts, outcomes, calls: all, gaps } = mergeParts(parts);
  const { allureResults, calls } = outputFiles();
  for (const folder of [allureResults, calls]) makeFolder(folder, fileRoles.output);
  for (const file of parts.flatMap(allureFiles))
    replaceText(join(allureResults, basename(file)), redact(readText(file, fileRoles.given)), fileRoles.output);
  const lines = all.map((call) => `${JSON.stringify(call)}\n`).join('');
  replaceText(join(calls, 'merged.ndjson'), redact(lines), fileRoles.output);
  const run = told(outcomes);
  writeRun(facts, run, all);
  return { summary: run.summary, traffic: trafficOf(all), gaps, unproven: whyUnproven(outcomes) };
}

/** Files of Allure's results, without the latencies, which are made of the calls of all parts. @throws FileTrouble */
function allureFiles({ folder }: Part): string[] {
  const { allureResults } = outputFiles(folder);
  return listFolder(allureResults, fileRoles.given)
    .filter((name) => !name.startsWith('.') && !name.endsWith('-perf.json'))
    .map((name) => join(allureResults, name));
}

function countOf({ shard }: RunIdentity): number {
  return shard?.total ?? 1;
}

function indexOf({ shard }: RunIdentity): number {
  return shard?.current ?? 1;
}
