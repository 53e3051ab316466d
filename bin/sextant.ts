#!/usr/bin/env node
import { Command } from 'commander';
import { userAgent } from '../client/index.ts';
import { alerts } from './commands/alerts.ts';
import { check } from './commands/check.ts';
import { environments } from './commands/environments.ts';
import { history } from './commands/history.ts';
import { monitor } from './commands/monitor.ts';
import { serve } from './commands/serve.ts';
import { test } from './commands/test.ts';
import { reportAndExit } from './failure.ts';

const program = new Command('sextant')
  .description('End-to-end API tests and uptime checks for one service of six areas and fourteen operations.')
  .version(userAgent.replace('/', ' '))
  .showHelpAfterError('(sextant --help lists the commands)')
  .exitOverride();

for (const command of [test, check, monitor, alerts, history, serve, environments])
  program.addCommand(command().exitOverride());

try {
  await program.parseAsync();
} catch (error) {
  reportAndExit(error);
}
