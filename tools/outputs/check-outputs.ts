import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { outputComplaints } from './complaints.ts';

const files = globSync(['src/**/*.ts', 'fixtures/**/*.ts', '*.ts'], { cwd: projectRoot })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('src/testing/'))
  .sort();
const complaints = outputComplaints(
  new Map(files.map((file) => [file, readFileSync(join(projectRoot, file), 'utf8')])),
);
for (const complaint of complaints) process.stderr.write(`${complaint}\n`);
if (complaints.length > 0) process.exitCode = 1;
