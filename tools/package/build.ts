import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectRoot } from '../../src/environment/project-root.ts';

// Compiles the program to JavaScript in `dist/`, in the same folders as its sources, because Node runs no TypeScript below `node_modules`.
// `npm pack` and `npm publish` run this first (`prepack`).

/** Files that modules read at run time. */
const data = [
  'action.yml',
  'docs/schemas',
  'environments/example.env.template',
  'environments/local.env',
  'environments/local.facts.json',
  'src/cli/templates',
  'src/cli/launcher/runtime',
  'src/monitor/status-page/assets',
];

const tsc = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
if (existsSync(tsc)) build(resolve(process.argv[2] ?? join(projectRoot, 'dist')));
else {
  process.stderr.write('The package is compiled with TypeScript, which is not installed: run `npm ci` first.\n');
  process.exitCode = 1;
}

function build(to: string): void {
  rmSync(to, { recursive: true, force: true });
  const compile = [tsc, '-p', 'tsconfig.package.json', '--outDir', to, '--checkers', '1'];
  // The compiler is written in Go. Its garbage collector would take a third of the time, to save 20 of 400 MB.
  const env = { GOGC: '400', ...process.env };
  const { status } = spawnSync(process.execPath, compile, { cwd: projectRoot, env, stdio: 'inherit' });
  if (status !== 0) {
    // npm must not pack an incomplete program.
    rmSync(to, { recursive: true, force: true });
    process.exitCode = 1;
    return;
  }
  for (const path of data) cpSync(join(projectRoot, path), join(to, path), { recursive: true });
  // The program reads its version from the package.json next to `src`.
  const { name, version, type } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  writeFileSync(join(to, 'package.json'), `${JSON.stringify({ name, version, type }, null, 2)}\n`);
}
