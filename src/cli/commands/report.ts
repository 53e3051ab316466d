import { relative, resolve } from 'node:path';
import { Command } from 'commander';
import { ConfigurationError } from '../../environment/index.ts';
import { isUnjudged, type Summary, summaryText } from '../../playwright/index.ts';
import { assertOneRun, type Part, readParts, writeMerged } from '../../playwright/merge.ts';
import { assertOutputFolder, keepEarlierRun, outputFolder, takeOutputLock } from '../../scenario/index.ts';
import { interruptible, warn } from '../output/terminal.ts';
import { makeReport, qualityGate } from '../playwright/allure-report.ts';

/** `sextant report`: joins the results of shards. */
export function report(): Command {
  return new Command('report')
    .requiredOption('--merge <dir...>', "join the shards' results in these folders, or in folders below them")
    .action(async ({ merge }: { merge: readonly string[] }) => {
      // Before anything is written.
      const parts = shardsIn(merge);
      const signal = interruptible();
      const release = await takeOutputLock({ signal, say: warn });
      try {
        process.exitCode = await mergeShards(parts, signal);
      } finally {
        release();
      }
    });
}

/** @throws ConfigurationError unless the folders hold the results of one run. */
function shardsIn(folders: readonly string[]): Part[] {
  const own = folders.find((folder) => resolve(folder) === resolve(outputFolder()));
  if (own)
    throw new ConfigurationError(
      `${own} is where the merged results go: set SEXTANT_OUTPUT to another folder, or move the shard's results.`,
    );
  const parts = readParts(folders);
  assertOneRun(parts);
  return parts;
}

/** One report, one JUnit file, one summary; returns the exit code. */
async function mergeShards(parts: readonly Part[], signal: AbortSignal): Promise<0 | 1 | 3> {
  assertOutputFolder();
  keepEarlierRun();
  const { summary, traffic, gaps, unproven } = writeMerged(parts);
  process.stdout.write(summaryText(summary, traffic));
  const page = await makeReport(process.env, [], signal);
  process.stdout.write(`  Report ${relative(process.cwd(), page)}\n`);
  if (unproven) process.stdout.write(`  ${unproven}\n`);
  for (const gap of gaps) process.stdout.write(`  ${gap}\n`);
  // Of a run that is not whole, Allure's gate would only repeat that.
  const gate = gaps.length === 0 ? await qualityGate(signal) : { isPassed: true, text: '' };
  if (!gate.isPassed) process.stdout.write(`${gate.text}\n`);
  return exitCodeOf(summary, gate.isPassed && !unproven);
}

/** 0 all passed · 1 something failed, the quality gate did, or nothing ran in an environment · 3 not everything could be judged. */
export function exitCodeOf(
  { passed, failed, unknown, ...rest }: Pick<Summary, 'passed' | 'failed' | 'unknown' | 'unprovenOperations'>,
  isProven: boolean,
): 0 | 1 | 3 {
  if (failed > 0) return 1;
  if (unknown > 0 || isUnjudged(rest)) return 3;
  return passed > 0 && isProven ? 0 : 1;
}
