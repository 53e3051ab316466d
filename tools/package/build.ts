import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';

/** What modules read at run time. */
const data = [
  'environments/example.env',
  'environments/local.env',
  'src/drill/matrix.json',
  'src/cli/launcher/runtime',
  'src/monitor/status-page/assets',
];

/** What a user reads. */
const pages = ['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'docs'];

const manifest = {
  bin: { sextant: 'src/cli/launcher/sextant.js' },
  exports: {
    '.': { types: './fixtures/index.d.ts', default: './fixtures/index.js' },
    './package.json': './package.json',
  },
};

// The package is a folder of its own: with a program in the project's package.json, npx would run that one in a checkout. It holds the
// program as JavaScript, in the folders of its sources, for Node runs no TypeScript below `node_modules`.
const to = resolve(process.argv[2] ?? join(projectRoot, 'dist'));
rmSync(to, { recursive: true, force: true });
const tsc = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
const compile = [tsc, '-p', 'tsconfig.package.json', '--outDir', to, '--checkers', '1'];
execFileSync(process.execPath, compile, { cwd: projectRoot, stdio: 'inherit' });
for (const path of data) cpSync(join(projectRoot, path), join(to, path), { recursive: true });
for (const path of pages)
  cpSync(join(projectRoot, path), join(to, path), { recursive: true, filter: (name) => !name.endsWith('.png') });
const {
  private: _,
  scripts: _scripts,
  devDependencies: _own,
  workspaces: _parts,
  ...rest
} = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
writeFileSync(join(to, 'package.json'), `${JSON.stringify({ ...rest, ...manifest }, null, 2)}\n`);
