import { installDevelopmentPackages } from './development-packages.ts';
import { add, type Counts, runSteps, type Step } from './test-runner/steps.ts';

/**
 * Programs that check. What two of them found out of a file counts, in `node_modules/.cache`, until the file has another text; the
 * compiler is written in Go, whose collector takes a quarter of a short run to save memory.
 */
const programs: readonly Step[] = [
  {
    name: 'types',
    command: 'tsc',
    args: ['-p', '.', '--checkers', '1', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'],
  },
  {
    name: 'lint, format, import cycles',
    command: 'biome',
    args: ['check', '--error-on-warnings', '.'],
    cure: '`npm run format` formats, and sorts imports.',
  },
  { name: 'dead code', command: 'knip', args: ['--cache', '--no-progress', '--no-config-hints'] },
];

/** The project's own checks: their complaints, each with its place and cure. Loaded once the packages that they need are installed. */
const own: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  layers: async () => (await import('./layers/index.ts')).sourceComplaints(),
  'generated pages': async () => (await import('./pages/generated-pages.ts')).pageComplaints(),
  'docs: commands and paths': async () => (await import('./pages/check-links.ts')).linkComplaints(),
  lockfile: async () => (await import('./lockfile.ts')).lockfileComplaints(),
};

/** The static checks, all or those that are named: programs beside each other, and meanwhile the own ones in this process. */
export async function runChecks(named: readonly string[] = []): Promise<Counts> {
  const isAsked = (name: string) => named.length === 0 || named.includes(name);
  const started = runSteps(programs.filter(({ name }) => isAsked(name)));
  const counts: Counts[] = [];
  for (const [name, complaintsOf] of Object.entries(own)) {
    if (!isAsked(name)) continue;
    const start = performance.now();
    const complaints = await complaintsOf();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const [isFine, text] = [complaints.length === 0, complaints.map((line) => `${line}\n`).join('')];
    process.stdout.write(`${isFine ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n${isFine ? '' : `${text}\n`}`);
    counts.push({ passed: Number(isFine), failed: Number(!isFine), skipped: 0 });
  }
  return add(await started, ...counts);
}

if (import.meta.main) {
  const named = process.argv.slice(2);
  const names = [...programs.map(({ name }) => name), ...Object.keys(own)];
  const unknown = named.filter((asked) => !names.includes(asked));
  const quoted = (some: readonly string[]) => some.map((name) => `"${name}"`).join(', ');
  if (unknown.length > 0) {
    process.stderr.write(`There is no check ${quoted(unknown)}. There are ${quoted(names)}.\n`);
    process.exitCode = 2;
  } else {
    installDevelopmentPackages();
    process.exitCode = (await runChecks(named)).failed > 0 ? 1 : 0;
  }
}
