import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { type Row, round } from './row.ts';

/** A row as it was last measured. */
export interface Measured extends Row {
  /** ISO date and time. */
  readonly at: string;
  /** How much the machine had to do beside it, when it began and when it ended: load averages of a minute. */
  readonly load: readonly [before: number, after: number];
}

export interface Results {
  readonly machine: { readonly cpu: string; readonly memoryGb: number; readonly system: string };
  readonly versions: Readonly<Record<string, string>>;
  /** By the name of the row. */
  readonly rows: Readonly<Record<string, Measured>>;
}

const file = join(import.meta.dirname, 'results.json');

export function committedResults(): Results | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : undefined;
}

/** Writes what was measured; rows that were not measured this time stay as they are. */
export function keep(rows: Readonly<Record<string, Measured>>): void {
  const versionOf = (name: string) =>
    (JSON.parse(readFileSync(join(projectRoot, 'node_modules', name, 'package.json'), 'utf8')) as { version: string })
      .version;
  const results: Results = {
    machine: {
      cpu: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
      memoryGb: Math.round(totalmem() / 1e9),
      system: `${platform()} ${release()} ${arch()}`,
    },
    versions: { node: process.version, playwright: versionOf('@playwright/test') },
    rows: { ...committedResults()?.rows, ...rows },
  };
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
}

export const loadNow = () => round(loadavg()[0] ?? 0);
