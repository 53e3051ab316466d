#!/usr/bin/env node
import './compile-cache.ts';
import './broken-pipe.ts';
import { guardOutput } from '../client/redaction/guard-output.ts';
import { listed } from './commands/index.ts';
import { askedFor, programFor } from './program.ts';
import { reportErrorAndExit } from './report-error.ts';
import { inSmallHeap } from './small-heap.ts';

guardOutput();
const args = process.argv.slice(2);
// Before loading the modules of a long-running command: the new process has to load them anyway.
if (args[0] !== 'help' && listed[askedFor(args)]?.isResident) inSmallHeap();
try {
  await (await programFor(args)).parseAsync();
} catch (error) {
  reportErrorAndExit(error);
}
