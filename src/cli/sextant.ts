#!/usr/bin/env node
import './compile-cache.ts';
import './broken-pipe.ts';
import { Command } from 'commander';
import { guardOutput, userAgent } from '../client/index.ts';
import { commandsFor } from './commands/index.ts';
import { reportErrorAndExit } from './report-error.ts';

guardOutput();
const program = new Command('sextant')
  .description('End-to-end API tests and uptime checks for one service of six areas and fourteen operations.')
  .version(userAgent.replace('/', ' '))
  .showHelpAfterError('(sextant --help lists the commands)')
  .exitOverride();

for (const command of await commandsFor(process.argv[2])) program.addCommand(command.exitOverride());

try {
  await program.parseAsync();
} catch (error) {
  reportErrorAndExit(error);
}
