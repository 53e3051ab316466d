import { spawnSync } from 'node:child_process';
import { projectRoot } from '../src/config/project-root.ts';
import { type Packages, packagesIn } from './lockfile.ts';

/** The development packages of a lockfile that are not installed in its version; those for one platform come with what needs them. */
export function missingPackages(locked: Packages, installed: Packages): string[] {
  const isMissing = (path: string) => installed[path]?.version !== locked[path]?.version;
  return Object.keys(locked).filter((path) => locked[path]?.dev && !locked[path].optional && isMissing(path));
}

/**
 * Installs what tests, checks and changes need: `npm ci` leaves it out (.npmrc), as no command of the suite uses it. Ends the process
 * with exit code 2 where npm can't install it.
 */
export function installDevelopmentPackages(): void {
  const missing = missingPackages(packagesIn(), packagesIn('node_modules/.package-lock.json'));
  if (missing.length === 0) return;
  // A script that npm didn't start knows no npm.
  const { npm_execpath: npm } = process.env;
  if (npm) {
    process.stdout.write(`Installing ${missing.length} packages that only tests and changes need (200 MB) …\n`);
    // It adds to what is installed, in the versions of the lockfile, and leaves that as it is.
    const args = [npm, 'install', '--include=dev', '--no-save', '--no-audit', '--no-fund'];
    const { status } = spawnSync(process.execPath, args, { cwd: projectRoot, stdio: ['ignore', 'ignore', 'inherit'] });
    if (status === 0) return;
  }
  process.stderr.write('Development packages are missing. Run `npm ci --include=dev`.\n');
  process.exit(2);
}

if (import.meta.main) installDevelopmentPackages();
