import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from '../../../src/testing/programs/run-command.ts';

/** Starts an Alertmanager with a configuration, which doesn't listen at once. It ends with its test; `folder` takes its files. */
export function startAlertmanager(folder: string, config: string, port: number, program = 'prometheus-alertmanager') {
  const file = join(folder, 'alertmanager.yml');
  writeFileSync(file, config);
  return startProgram(program, [
    `--config.file=${file}`,
    `--storage.path=${folder}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--cluster.listen-address=',
    '--log.level=debug',
  ]);
}
