import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discardJournals } from '../../scenario/index.ts';

const folders = ['environments', 'state', 'output', 'data', 'surveys', 'observed', 'scratch', 'work'] as const;

export type Sandbox = ReturnType<typeof sandbox>;

const LITTLE = '1500k';

/** Folders that stand for all that a user has, on a small disk where that can be mounted. */
export function sandbox() {
  const outer = mkdtempSync(join(tmpdir(), 'sextant-broken-'));
  const path = join(outer, 'sandbox');
  mkdirSync(path);
  const isMounted = mounts(path);
  chmodSync(outer, 0o777);
  const end = () => {
    process.off('exit', end);
    if (isMounted) execFileSync('umount', ['-l', path]);
    rmSync(outer, { recursive: true, force: true });
  };
  // Nothing stays mounted, however the tests end.
  process.on('exit', end);
  const at = (folder: (typeof folders)[number], ...rest: readonly string[]) => join(path, folder, ...rest);
  const set = { SEXTANT_ENVIRONMENTS: at('environments'), SEXTANT_STATE: at('state'), SEXTANT_OUTPUT: at('output') };
  const more = { SEXTANT_SURVEYS: at('surveys'), SEXTANT_OBSERVED: at('observed'), TMPDIR: at('scratch') };
  Object.assign(process.env, set, more);
  return {
    /** A separate file system, so that it can be full or read-only. */
    isMounted,
    at,
    /** Empties it. */
    reset: () => {
      // As a command's process does at its end.
      discardJournals();
      for (const folder of folders) {
        rmSync(at(folder), { recursive: true, force: true });
        mkdirSync(at(folder));
        chmodSync(at(folder), 0o777);
      }
    },
    end,
  };
}

function mounts(path: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${LITTLE},mode=777`, 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
