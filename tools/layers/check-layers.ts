import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { layerComplaints } from './complaints.ts';
import { importsOf } from './imports-of.ts';
import { roomComplaints } from './rooms.ts';
import { serviceNames } from './service-names.ts';

const files = globSync('**/*.ts', { cwd: projectRoot, exclude: ['node_modules', 'results', 'dist'] })
  .map((file) => file.replaceAll('\\', '/'))
  .sort();
const texts = files.map((file) => [file, readFileSync(join(projectRoot, file), 'utf8')] as const);
const imports = texts.flatMap(([file, text]) => importsOf(file, text));
const complaints = [
  ...layerComplaints(files, imports),
  ...roomComplaints(files, imports),
  ...texts.flatMap(([file, text]) => serviceNames(file, text)),
];
for (const complaint of complaints) process.stderr.write(`${complaint}\n`);
if (complaints.length > 0) process.exitCode = 1;
