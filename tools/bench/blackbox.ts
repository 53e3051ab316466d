import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { freePortsInARow } from '../../src/testing/run-command.ts';
import { Unmeasurable } from './row.ts';

/** As Debian names it, and as it is released. */
const NAMES = ['prometheus-blackbox-exporter', 'blackbox_exporter'];

export interface Blackbox {
  readonly url: string;
  readonly pid: number;
  readonly version: string;
  stop(): void;
}

/** Starts blackbox_exporter with a configuration file. @throws Unmeasurable where it isn't installed. */
export async function startBlackbox(file: string): Promise<Blackbox> {
  const found = NAMES.map((name) => ({ name, ...spawnSync(name, ['--version'], { encoding: 'utf8' }) }));
  const installed = found.find(({ error }) => !error);
  if (!installed) throw new Unmeasurable('blackbox_exporter is not installed (Debian: prometheus-blackbox-exporter)');
  const version = /version ([\d.]+)/.exec(`${installed.stdout}${installed.stderr}`)?.[1] ?? 'unknown';
  const address = `127.0.0.1:${await freePortsInARow()}`;
  const child = spawn(installed.name, [`--config.file=${file}`, `--web.listen-address=${address}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`blackbox_exporter ended:\n${said}`);
  });
  ended.catch(() => {});
  await Promise.race([answers(`http://${address}/-/healthy`), ended]);
  return {
    url: `http://${address}`,
    pid: child.pid as number,
    version: `blackbox_exporter ${version}`,
    stop: () => void child.kill(),
  };
}

async function answers(url: string): Promise<void> {
  while (!(await fetch(url).catch(() => undefined))?.ok) await new Promise((resolve) => setTimeout(resolve, 50));
}
