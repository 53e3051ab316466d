import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { mistakesOfSpecs } from './mistakes-of-specs.ts';
import { foundText } from './spec-file.ts';

const files = globSync(['tests/**/*.spec.ts', 'tests/**/*-cases.ts'], { cwd: projectRoot })
  .map((file) => file.replaceAll('\\', '/'))
  .sort();
const found = mistakesOfSpecs(new Map(files.map((file) => [file, readFileSync(join(projectRoot, file), 'utf8')])));
for (const each of found) process.stderr.write(`${foundText(each)}\n`);
if (found.length > 0) process.exitCode = 1;
