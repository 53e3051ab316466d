import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { receiver } from '../monitor/receiver.ts';
import { startProgram } from './run-command.ts';

/** Starts an Alertmanager with a configuration; its files go to `folder`. The caller must wait until it listens. */
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

/** An alert in the format of Alertmanager's webhook. */
export interface SentAlert {
  readonly status: 'firing' | 'resolved';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export async function alertReceiver() {
  const { url, received, end } = await receiver();
  return {
    /** Host and port, without a path. */
    address: new URL(url).host,
    /** The alerts that were sent to a path, in their order. */
    sentTo: (path: string): SentAlert[] =>
      received
        .filter((each) => each.path === path)
        .flatMap(({ body }) => (JSON.parse(body) as { alerts: SentAlert[] }).alerts),
    end,
  };
}
