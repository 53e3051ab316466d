import { relative, resolve } from 'node:path';
import { Command } from 'commander';
import picocolors from 'picocolors';
import { ConfigurationError } from '../../config/index.ts';
import { compareParts, readParts, writeMerged } from '../../reporting/merge/index.ts';
import type { Summary } from '../../reporting/summary.ts';
import { summaryText } from '../../reporting/summary-text.ts';
import { assertOutputFolder, keepEarlierRun, outputFolder, takeOutputLock } from '../../scenario/index.ts';
import { makeReport, qualityGate } from '../allure-report.ts';
import { interruptible } from '../interrupt.ts';

/** `sextant report --merge`: the results of all shards as one report, one JUnit file, one summary and one exit code. */
export function report(): Command {
  return new Command('report')
    .requiredOption('--merge <dir...>', "the shards' results, or folders that contain them")
    .action(async ({ merge }: { readonly merge: readonly string[] }) => {
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
    });
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
