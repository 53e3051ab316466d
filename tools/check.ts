import { add, type Counts, checked, play, type Ran, runChecker } from './work.ts';

/** Checks that are separate programs. Two of them cache their findings about each file in `node_modules/.cache`. */
const programs: Readonly<Record<string, () => Promise<Ran>>> = {
  types: () =>
    runChecker(
      'tsc',
      '-p . --checkers 1 --incremental --tsBuildInfoFile node_modules/.cache/types.tsbuildinfo'.split(' '),
    ),
  'lint, format, import cycles': () =>
    runChecker('biome', ['check', '--error-on-warnings', '.'], '`npm run format` formats, and sorts imports.'),
  'dead code': () => runChecker('knip', ['--cache', '--no-progress', '--no-config-hints']),
};

/**
 * The project's own checks. Each returns complaints, with the place of the problem and what to do about it. The code of a check is loaded
 * only when the check runs.
 */
const ownChecks: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  layers: async () => (await import('./layers/complaints.ts')).sourceComplaints(),
  'generated pages': async () => (await import('./pages/generated-pages.ts')).pageComplaints(),
  'docs: commands and paths': async () => (await import('./pages/check-links.ts')).linkComplaints(),
  lockfile: async () => (await import('./lockfile.ts')).lockfileComplaints(),
};

/** Runs the static checks: the separate programs in parallel, and meanwhile the project's own checks in this process. */
export async function runChecks(): Promise<Counts> {
  const started = Object.entries(programs).map(([name, run]) => play({ name, run }));
  const done = [];
  for (const [name, complaintsOf] of Object.entries(ownChecks)) {
    const run = async () => {
      const found = await complaintsOf();
      return checked(found.length === 0, found.map((line) => `${line}\n`).join(''));
    };
    done.push(await play({ name, run }));
  }
  return add(...done, ...(await Promise.all(started)));
}

if (import.meta.main) process.exitCode = (await runChecks()).failed > 0 ? 1 : 0;
