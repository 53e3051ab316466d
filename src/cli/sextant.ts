#!/usr/bin/env node
import './start/compile-cache.ts';
import './start/broken-pipe.ts';
import { guardOutput } from '../client/redaction/redact.ts';
import { listed } from './commands/index.ts';
import { INTERRUPTED } from './output/interrupt.ts';
import { askedFor, programFor } from './program.ts';
import { reportErrorAndExit } from './start/report-error.ts';
import { inSmallHeap, ownProcess } from './start/restart.ts';

guardOutput();
ownProcess();
try {
  // On a terminal, bare `sextant` offers what can be done, as if the command for it had been typed.
  if (process.argv.length === 2 && process.stdin.isTTY && process.stdout.isTTY) {
    // Loaded only here: a command that was typed asks nothing.
    const chosen = await (await import('./connect/guided/start-menu.ts')).startMenu();
    if (!chosen) process.exit(INTERRUPTED);
    process.argv.push(...chosen);
  }
  const args = process.argv.slice(2);
  // Before loading the modules of a long-running command: the new process has to load them anyway.
  if (args[0] !== 'help' && listed[askedFor(args)]?.isResident) inSmallHeap();
  await (await programFor(args)).parseAsync();
} catch (error) {
  reportErrorAndExit(error);
}
