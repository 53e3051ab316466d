import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { matrixOf, matrixText, problemsOf } from '../../src/fault-injection/index.ts';
import { drillAll, page, pageOf } from './run-drill.ts';

// Drills everything on the plain reading, and writes the results to src/fault-injection/matrix.json and docs/kill-matrix.md.
const drilled = await drillAll();
const matrix = matrixOf(drilled);
writeFileSync(join(projectRoot, 'src', 'fault-injection', 'matrix.json'), matrixText(matrix));
writeFileSync(page, await pageOf(matrix));
process.stdout.write(`${matrix.faults.length} faults in ${Math.round(drilled.durationMs / 1000)} s\n`);
process.exitCode = problemsOf(drilled).length > 0 ? 1 : 0;
