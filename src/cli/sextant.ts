#!/usr/bin/env node
import './compile-cache.ts';
import './broken-pipe.ts';
import { Command } from 'commander';
import { userAgent } from '../client/http/correlation-headers.ts';
import { guardOutput } from '../client/redaction/guard-output.ts';
import { commandList, listed, loadCommand } from './commands/index.ts';
import { reportErrorAndExit } from './report-error.ts';
import { inSmallHeap } from './small-heap.ts';

guardOutput();
const program = new Command('sextant')
  .description('End-to-end API tests and uptime checks for one service of six areas and fourteen operations.')
  .version(userAgent.replace('/', ' '))
  .showHelpAfterError('(sextant --help lists the commands)')
  .exitOverride();

// `help check` shows the help of `check`.
const [first = '', second = ''] = process.argv.slice(2).filter((word) => !word.startsWith('-'));
// Before loading the modules of a long-running command: the new process has to load them anyway.
if (listed[first]?.isResident) inSmallHeap();
const chosen = await loadCommand(first === 'help' ? second : first);
for (const command of chosen ? [chosen] : commandList()) program.addCommand(command.exitOverride());

try {
  await program.parseAsync();
} catch (error) {
  reportErrorAndExit(error);
}
