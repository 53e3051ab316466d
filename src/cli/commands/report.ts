import { join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import picocolors from 'picocolors';
import { fileRoles, isThere } from '../../config/files/index.ts';
import { ConfigurationError } from '../../config/index.ts';
import { compareParts, readParts, writeMerged } from '../../reporting/merge/index.ts';
import type { Summary } from '../../reporting/summary.ts';
import { summaryText } from '../../reporting/summary-text.ts';
import { assertOutputFolder, keepEarlierRun, outputFiles, outputFolder, takeOutputLock } from '../../scenario/index.ts';
import { makeReport, qualityGate } from '../allure-report.ts';
import { interruptible } from '../interrupt.ts';
import { openPage } from '../open-page.ts';

/** `sextant report`: `--open` shows the last report; `--merge`: the results of all shards as one report, one JUnit file, one summary and one exit code. */
export function report(): Command {
  return new Command('report')
    .option('--merge <dir...>', "the shards' results, or folders that contain them")
    .option('--open', 'open the last report, or the merged one, in your browser')
    .action(async ({ merge, open }: { readonly merge?: readonly string[]; readonly open?: boolean }) => {
      if (!merge && !open) throw new ConfigurationError('Give --merge with the results of shards, or --open.');
      if (merge) await mergeAll(merge);
      if (open) await openLast();
    });
}

async function mergeAll(merge: readonly string[]): Promise<void> {
  const own = merge.find((folder) => resolve(folder) === resolve(outputFolder()));
  if (own)
    throw new ConfigurationError(
      `${own} is where the merged results go: set SEXTANT_OUTPUT to another folder, or move the shard's results.`,
    );
  const found = readParts(merge);
  const compared = compareParts(found);
  for (const each of found) if ('why' in each) say(`${each.folder} ${each.why}.`);
  assertOutputFolder();
  const release = await takeOutputLock({ signal: interruptible(), say });
  try {
    keepEarlierRun();
    const { summary, requests } = writeMerged(compared);
    process.stdout.write(summaryText(summary, requests, picocolors.isColorSupported));
    const page = await makeReport();
    process.stdout.write(`  Report ${relative(process.cwd(), page)} of ${shards(compared)}\n`);
    const gate = await qualityGate();
    if (!gate.isPassed) process.stdout.write(`${gate.text}\n`);
    process.exitCode = exitCodeOf(summary, gate.isPassed);
  } finally {
    release();
  }
}

async function openLast(): Promise<void> {
  const page = join(outputFiles().report, 'index.html');
  if (!isThere(page, fileRoles.output))
    throw new ConfigurationError(`There is no report at ${page}. \`npx sextant test\` makes one.`);
  process.stdout.write(`  Report ${relative(process.cwd(), page)}\n`);
  if (!(await openPage(page))) say('This machine has no program that opens it: open the file in a browser.');
}

/** 0 all passed · 1 something failed, the quality gate did, or nothing ran · 3 not everything could be judged. */
export function exitCodeOf(
  { passed, failed, unknown }: Pick<Summary, 'passed' | 'failed' | 'unknown'>,
  isGatePassed: boolean,
): 0 | 1 | 3 {
  if (failed > 0) return 1;
  if (unknown > 0) return 3;
  return passed > 0 && isGatePassed ? 0 : 1;
}

function shards({
  parts,
  count,
  missing,
}: {
  readonly parts: readonly unknown[];
  readonly count: number;
  readonly missing: readonly number[];
}): string {
  const all = `${parts.length} of ${count} ${count === 1 ? 'shard' : 'shards'}`;
  return missing.length === 0 ? all : `${all}; without ${missing.join(', ')}`;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
