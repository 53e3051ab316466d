import { add, type Counts, checked, play, type Ran, runChecker, type Work } from './test-runner/work.ts';

/** Checks that are programs of their own. What two of them found out of a file counts, in `node_modules/.cache`, until it has another text. */
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

/** The project's own checks: their complaints, each with its place and cure. Loaded when they are asked for. */
const own: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  layers: async () => (await import('./layers/index.ts')).sourceComplaints(),
  'generated pages': async () => (await import('./pages/generated-pages.ts')).pageComplaints(),
  'docs: commands and paths': async () => (await import('./pages/check-links.ts')).linkComplaints(),
  lockfile: async () => (await import('./lockfile.ts')).lockfileComplaints(),
};

const names = [...Object.keys(programs), ...Object.keys(own)];

/** The static checks, all or those that are named: programs beside each other, and meanwhile the own ones in this process. */
export async function runChecks(named: readonly string[] = names): Promise<Counts> {
  const works = <T>(some: Readonly<Record<string, () => Promise<T>>>, ranOf: (found: T) => Ran): Work[] =>
    Object.entries(some)
      .filter(([name]) => named.includes(name))
      .map(([name, run]) => ({ name, run: async () => ranOf(await run()) }));
  const started = works(programs, (ran) => ran).map(play);
  const done = [];
  for (const work of works(own, (found) => checked(found.length === 0, found.map((line) => `${line}\n`).join(''))))
    done.push(await play(work));
  return add(...[...done, ...(await Promise.all(started))].map(({ counts }) => counts));
}

if (import.meta.main) {
  const named = process.argv.slice(2);
  const unknown = named.filter((asked) => !names.includes(asked));
  const quoted = (some: readonly string[]) => some.map((name) => `"${name}"`).join(', ');
  if (unknown.length > 0) {
    process.stderr.write(`There is no check ${quoted(unknown)}. There are ${quoted(names)}.\n`);
    process.exitCode = 2;
  } else {
    process.exitCode = (await runChecks(named.length > 0 ? named : names)).failed > 0 ? 1 : 0;
  }
}
