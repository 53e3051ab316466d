import { basename, join } from 'node:path';
import { redact } from '../../client/index.ts';
import { fileRoles, makeFolder, readText, replaceText } from '../../config/files/index.ts';
import { outputFiles } from '../../scenario/index.ts';
import { ResultsWriter } from '../results-writer.ts';
import type { Summary } from '../summary.ts';
import { writeRun } from '../write-run.ts';
import type { Compared } from './compare-parts.ts';
import { gapResult } from './gap-result.ts';
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
