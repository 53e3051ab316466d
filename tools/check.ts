import { installDevelopmentPackages } from './development-packages.ts';
import { runSteps, type Step } from './test-runner/steps.ts';

/** The static checks. Each takes seconds; they run side by side. */
export const checks: readonly Step[] = [
  { name: 'types', command: 'tsc', args: ['-p', '.', '--checkers', '1'] },
  {
    name: 'lint, format, import cycles',
    command: 'biome',
    args: ['check', '--error-on-warnings', '.'],
    cure: '`npm run format` formats, and sorts imports.',
  },
  { name: 'layers', command: 'node', args: ['tools/layers/check-layers.ts'] },
  { name: 'specs', command: 'node', args: ['tools/specs/mistakes-of-specs.ts'] },
  { name: 'ways out', command: 'node', args: ['tools/outputs/check-outputs.ts'] },
  { name: 'generated pages', command: 'node', args: ['tools/pages/generated-pages.ts'] },
  { name: 'docs: commands and paths', command: 'node', args: ['tools/pages/check-links.ts'] },
  { name: 'lockfile', command: 'node', args: ['tools/lockfile.ts', '--check'] },
  { name: 'dead code', command: 'knip', args: ['--no-progress', '--no-config-hints'] },
];

if (import.meta.main) {
  const named = process.argv.slice(2);
  const unknown = named.filter((asked) => !checks.some(({ name }) => name === asked));
  if (unknown.length > 0) {
    const all = checks.map(({ name }) => `"${name}"`).join(', ');
    process.stderr.write(`There is no check ${unknown.map((name) => `"${name}"`).join(', ')}. There are ${all}.\n`);
    process.exitCode = 2;
  } else {
    installDevelopmentPackages();
    const { failed } = await runSteps(named.length === 0 ? checks : checks.filter(({ name }) => named.includes(name)));
    process.exitCode = failed > 0 ? 1 : 0;
  }
}
