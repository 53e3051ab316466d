import { createHash, randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import type { Stage, Status, TestResult } from 'allure-js-commons';
import { CATEGORY_LABEL, redact } from '../../client/index.ts';
import { fileRoles, makeFolder, readText, replaceText } from '../../config/files/index.ts';
import { outputFiles } from '../../scenario/index.ts';
import { labelsOf } from '../allure/labels.ts';
import { ResultsWriter } from '../allure/results-writer.ts';
import type { Summary, TestOutcome } from '../summary.ts';
import { writeRun } from '../write-run.ts';
import type { Compared } from './compare-parts.ts';
import { mergeParts } from './merge-parts.ts';
import { allureFiles } from './part.ts';

/** Writes the results of all shards into the output folder, as if one run had left them. @throws FileTrouble */
export function writeMerged(compared: Compared): { readonly summary: Summary; readonly requests: number } {
  const merged = mergeParts(compared);
  const { allureResults, calls } = outputFiles();
  for (const folder of [allureResults, calls]) makeFolder(folder, fileRoles.output);
  for (const file of compared.parts.flatMap(allureFiles))
    replaceText(join(allureResults, basename(file)), redact(readText(file, fileRoles.shard)), fileRoles.output);
  const writer = new ResultsWriter(allureResults);
  for (const gap of merged.gaps) writer.writeResult(gapResult(gap));
  const lines = merged.calls.map((call) => `${JSON.stringify(call)}\n`).join('');
  replaceText(join(calls, 'merged.ndjson'), redact(lines), fileRoles.output);
  return { summary: writeRun(merged), requests: merged.calls.length };
}

/** What is missing of a run as a broken test of Allure's report: its quality gate sees nothing else. */
export function gapResult({ environment, title, message = '' }: TestOutcome): TestResult {
  const labels = labelsOf({ title, tags: ['@all'], environment, folder: 'shards' });
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
