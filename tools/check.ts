import { runSteps, type Step } from './steps.ts';

/** The static checks. Each takes seconds; they run side by side. */
export const checks: readonly Step[] = [
  { name: 'types', command: 'tsc', args: ['-p', '.'] },
  {
    name: 'lint, format, import cycles',
    command: 'biome',
    args: ['check', '--error-on-warnings', '.'],
    cure: '`npm run format` formats, and sorts imports.',
  },
  { name: 'layers', command: 'node', args: ['tools/layers/check-layers.ts'] },
  { name: 'specs', command: 'node', args: ['tools/specs/check-specs.ts'] },
  { name: 'ways out', command: 'node', args: ['tools/outputs/check-outputs.ts'] },
  { name: 'generated pages', command: 'node', args: ['tools/pages/generated-pages.ts'] },
  { name: 'docs: commands and paths', command: 'node', args: ['tools/pages/check-links.ts'] },
  { name: 'lockfile', command: 'node', args: ['tools/lockfile.ts', '--check'] },
  { name: 'dead code', command: 'knip', args: ['--no-progress', '--no-config-hints'] },
];

if (import.meta.main) {
  const named = process.argv.slice(2);
  const chosen = checks.filter(({ name }) => named.length === 0 || named.includes(name));
  if (chosen.length < named.length) {
    process.stderr.write(`The checks are: ${checks.map(({ name }) => `"${name}"`).join(', ')}.\n`);
    process.exitCode = 2;
  } else {
    const { failed } = await runSteps(chosen);
    process.exitCode = failed > 0 ? 1 : 0;
  }
}
