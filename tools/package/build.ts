import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';

/** What modules read at run time. */
const data = [
  'environments/example.env',
  'environments/local.env',
  'src/fault-injection/matrix.json',
  'src/fault-injection/spread.json',
  'src/monitor/status-page/assets',
];

// `npm pack` runs this: the program as JavaScript, in the folders of its sources, for Node runs no TypeScript below `node_modules`.
const to = join(projectRoot, 'dist');
rmSync(to, { recursive: true, force: true });
const tsc = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.package.json'], { cwd: projectRoot, stdio: 'inherit' });
for (const path of data) cpSync(join(projectRoot, path), join(to, path), { recursive: true });
const { name, version, type } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
writeFileSync(join(to, 'package.json'), `${JSON.stringify({ name, version, type }, null, 2)}\n`);
