import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { fileRoles, isThere } from '../../config/files/index.ts';
import { ConfigurationError } from '../../config/index.ts';
import { publish, type Summary, summaryText } from '../../reporting/index.ts';
import { type Compared, compareParts, readParts, writeMerged } from '../../reporting/merge/index.ts';
import { assertOutputFolder, keepEarlierRun, outputFiles, outputFolder, takeOutputLock } from '../../scenario/index.ts';
import { interruptible } from '../output/interrupt.ts';
import { warn } from '../output/printable.ts';
import { makeReport, qualityGate } from '../playwright/allure-report.ts';

/** `sextant report`: joins the results of shards, puts reports on a static site, and opens the last one. */
export function report(): Command {
  return new Command('report')
    .option('--merge <dir...>', "join the shards' results in these folders, or in folders below them")
    .option('--site <dir>', 'put the report on a static site, beside those of other environments')
    .option('--open', 'open the last report, or the merged one, in your browser')
    .action(async ({ merge, site, open }: { merge?: readonly string[]; site?: string; open?: boolean }) => {
      if (!merge && !site && !open)
        throw new ConfigurationError('Say what to do with the report: --merge <dir...>, --site <dir> or --open.');
      // Before anything is written.
      const compared = merge && shardsIn(merge);
      const release = await takeOutputLock({ signal: interruptible(), say: warn });
      try {
        if (compared) process.exitCode = await mergeShards(compared);
        if (site) process.stdout.write(`  Published as ${publish(site)}\n`);
      } finally {
        release();
      }
      if (open) await openLast();
    });
}

/** @throws ConfigurationError unless the folders hold the results of one run. */
function shardsIn(folders: readonly string[]): Compared {
  const own = folders.find((folder) => resolve(folder) === resolve(outputFolder()));
  if (own)
    throw new ConfigurationError(
      `${own} is where the merged results go: set SEXTANT_OUTPUT to another folder, or move the shard's results.`,
    );
  const found = readParts(folders);
  const compared = compareParts(found);
  for (const each of found) if ('why' in each) warn(`${each.folder} ${each.why}.`);
  return compared;
}

/** One report, one JUnit file, one summary; returns the exit code. */
async function mergeShards(compared: Compared): Promise<0 | 1 | 3> {
  assertOutputFolder();
  keepEarlierRun();
  const { summary, requests } = writeMerged(compared);
  process.stdout.write(summaryText(summary, requests));
  const page = await makeReport();
  process.stdout.write(`  Report ${relative(process.cwd(), page)} of ${shards(compared)}\n`);
  const gate = await qualityGate();
  if (!gate.isPassed) process.stdout.write(`${gate.text}\n`);
  return exitCodeOf(summary, gate.isPassed);
}

async function openLast(): Promise<void> {
  const page = join(outputFiles().report, 'index.html');
  if (!isThere(page, fileRoles.output))
    throw new ConfigurationError(`There is no report at ${page}. \`npx sextant test\` makes one.`);
  process.stdout.write(`  Report ${relative(process.cwd(), page)}\n`);
  if (!(await openPage(page))) warn('This machine has no program that opens it: open the file in a browser.');
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

function shards({ parts, count, missing }: Compared): string {
  const all = `${parts.length} of ${count} ${count === 1 ? 'shard' : 'shards'}`;
  return missing.length === 0 ? all : `${all}; without ${missing.join(', ')}`;
}

/** What opens a page in the user's browser, with its arguments before the path; elsewhere it is `xdg-open`. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // The first argument in quotes would be the title of a window.
  win32: ['cmd', '/c', 'start', '""'],
};

/** Opens a page in the user's browser; returns whether that worked. */
export async function openPage(path: string): Promise<boolean> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, path], { stdio: 'ignore' });
  const ended = once(child, 'exit').then(([code]) => code === 0);
  // There is no such program, as on a server.
  return ended.catch(() => false);
}
