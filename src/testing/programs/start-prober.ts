import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startCommand, until } from './run-command.ts';

/** Starts `sextant prober` for a folder of environments, and stops it after the test; its files go to `folder`. */
export async function startProberCommand(t: TestContext, folder: string, environments: string) {
  const command = startCommand(['prober', '--env', '*', '--listen', '127.0.0.1:0', '--yes', '--trust-state'], {
    SEXTANT_ENVIRONMENTS: environments,
    SEXTANT_OUTPUT: join(folder, 'results'),
    SEXTANT_STATE: join(folder, 'state'),
  });
  t.after(async () => {
    command.child.kill('SIGTERM');
    await command.ended;
  });
  await until(() => /Prober: http/.test(command.said()), command);
  const [, address = ''] = /Prober: http:\/\/([\d.:]+)/.exec(command.said()) ?? [];
  return { command, address };
}
