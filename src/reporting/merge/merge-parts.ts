import { createHash, randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import type { Stage, Status, TestResult } from 'allure-js-commons';
import { CATEGORY_LABEL, redact } from '../../client/index.ts';
import { fileRoles, makeFolder, readText, replaceText } from '../../config/files/index.ts';
import { outputFiles } from '../../scenario/index.ts';
import { labelsOf } from '../allure/labels.ts';
import { ResultsWriter } from '../allure/results-writer.ts';
import type { RunIdentity } from '../run-facts.ts';
import { type TestOutcome, whyUnproven } from '../summary.ts';
import { type EndedRun, writeRun } from '../write-run.ts';
import { allureFiles, type Compared, type Part } from './parts.ts';

interface Merged extends EndedRun {
  /** Those of its outcomes that stand for no test, but for what is missing or ambiguous: a shard that left no results or was cut short, two scenarios of one title. */
  readonly gaps: readonly TestOutcome[];
}

export function mergeParts({ parts, count, missing }: Compared): Merged {
  const first = parts[0] as Part;
  const runs = parts.map(({ facts }) => facts.run);
  const calls = parts.flatMap((part) => part.calls);
  const names = Object.keys(first.facts.environments);
  const gaps = [
    ...missing.map((index) => gap(names, count, index, 'is missing: its job left no results')),
    ...parts.flatMap((part) => {
      const why = whyCutShort(part);
      return why ? [gap(names, count, part.facts.run.shard?.index ?? 1, why, part.folder)] : [];
    }),
    ...namesakesAcross(parts),
  ];
  const outcomes = [...parts.flatMap((part) => part.outcomes), ...gaps];
  const run: RunIdentity = {
    ...first.facts.run,
    shard: null,
    startedAt: runs.map(({ startedAt }) => startedAt).sort()[0] as string,
    status:
      runs.every(({ status }) => status === 'passed') && !whyUnproven(outcomes) && gaps.length === 0
        ? 'passed'
        : 'failed',
    errors: runs.reduce((sum, { errors }) => sum + errors, 0),
  };
  const shards = count > 1 ? { Shards: String(count) } : {};
  const common = { ...first.facts.common, Requests: String(calls.length), ...shards };
  const environments = Object.fromEntries(names.map((name) => [name, factsOf(name, parts)]));
  return { facts: { run, common, environments }, outcomes, calls, gaps };
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
function whyCutShort({ facts: { run }, outcomes }: Part): string | undefined {
  if (run.status === 'interrupted' || run.status === 'timedout') return `was cut short: ${run.status}`;
  if (run.errors > 0) return 'had an error outside its tests; its log shows it';
  const isExplained = outcomes.some(({ outcome }) => outcome === 'failed' || outcome === 'unknown');
  return run.status === 'failed' && !isExplained ? 'failed without a failed test; its log shows why' : undefined;
}

/** Two scenarios of one title that different shards ran: neither of them saw both, and reports and histories take them for one. */
function namesakesAcross(parts: readonly Part[]): TestOutcome[] {
  const all = parts.flatMap(({ outcomes }, index) => outcomes.map((outcome) => ({ outcome, index })));
  return [...Map.groupBy(all, ({ outcome: { environment, title } }) => `${environment} ${title}`).values()].flatMap(
    (same) => {
      const [first, ...others] = same;
      const other = others.find(
        ({ outcome: { file }, index }) =>
          file !== undefined &&
          first?.outcome.file !== undefined &&
          file !== first.outcome.file &&
          index !== first.index,
      );
      if (!first || !other) return [];
      const { environment, title, file } = other.outcome;
      const reason = `${file}: "${title}" is the title of another scenario too, at ${first.outcome.file}; rename one of them: reports and histories are kept by title`;
      return [{ environment, title, area: 'all', outcome: 'unknown', reason, seconds: 0, message: reason }];
    },
  );
}

function gap(names: readonly string[], count: number, index: number, why: string, folder?: string): TestOutcome {
  const title = `shard ${index} of ${count}`;
  const reason = `${title} ${why}${folder ? ` (${folder})` : ''}`;
  return { environment: names[0] ?? '', title, area: 'all', outcome: 'unknown', reason, seconds: 0, message: reason };
}

/** Writes the results of all shards into the output folder, as if one run had left them. @throws FileTrouble */
export async function writeMerged(compared: Compared) {
  const merged = mergeParts(compared);
  const { allureResults, calls } = outputFiles();
  for (const folder of [allureResults, calls]) makeFolder(folder, fileRoles.output);
  for (const file of compared.parts.flatMap(allureFiles))
    replaceText(join(allureResults, basename(file)), redact(readText(file, fileRoles.shard)), fileRoles.output);
  const writer = new ResultsWriter(allureResults);
  for (const gap of merged.gaps) writer.writeResult(gapResult(gap));
  await writer.end();
  const lines = merged.calls.map((call) => `${JSON.stringify(call)}\n`).join('');
  replaceText(join(calls, 'merged.ndjson'), redact(lines), fileRoles.output);
  return { summary: writeRun(merged), requests: merged.calls.length, unproven: whyUnproven(merged.outcomes) };
}

/** What is missing of a run as a broken test of Allure's report: its quality gate sees nothing else. */
function gapResult({ environment, title, message = '' }: TestOutcome): TestResult {
  const labels = labelsOf(title, ['@all'], environment, 'shards');
  return {
    uuid: randomUUID(),
    historyId: createHash('md5').update(`${environment} ${title}`).digest('hex'),
    name: title,
    fullName: title,
    status: 'broken' as Status,
    statusDetails: { message },
    stage: 'finished' as Stage,
    steps: [],
    attachments: [],
    parameters: [{ name: 'Project', value: environment }],
    labels: [...labels, { name: CATEGORY_LABEL, value: 'unknown' }],
    links: [],
  };
}
