#!/usr/bin/env node
import './start/broken-pipe.ts';
import { guardOutput } from '../redaction/redact.ts';
import { listed } from './commands/index.ts';
import { askedFor, programFor } from './program.ts';
import { reportErrorAndExit } from './start/report-error.ts';
import { inSmallHeap, ownProcess } from './start/restart.ts';

guardOutput();
ownProcess();
try {
  const args = process.argv.slice(2);
  // Before loading the modules of a long-running command: the new process has to load them anyway.
  if (args[0] !== 'help' && listed[askedFor(args)]?.isResident) inSmallHeap();
  await (await programFor(args)).parseAsync();
} catch (error) {
  reportErrorAndExit(error);
}
