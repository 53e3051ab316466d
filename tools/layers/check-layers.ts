import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { layerComplaints } from './complaints.ts';
import { importsOf } from './imports-of.ts';

const files = globSync('**/*.ts', { cwd: projectRoot, exclude: ['node_modules', 'results', 'dist'] })
  .map((file) => file.replaceAll('\\', '/'))
  .sort();
const imports = files.flatMap((file) => importsOf(file, readFileSync(join(projectRoot, file), 'utf8')));
const complaints = layerComplaints(files, imports);
for (const complaint of complaints) process.stderr.write(`${complaint}\n`);
if (complaints.length > 0) process.exitCode = 1;
