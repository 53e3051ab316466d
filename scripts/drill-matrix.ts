import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { matrixOf, matrixText, problemsOf } from '../drill/index.ts';
import { drillAll, page, pageOf } from './drill.ts';
import { root } from './steps.ts';

// Drills everything, and makes drill/matrix.json and docs/kill-matrix.md of what came of it.
const drilled = await drillAll();
const matrix = matrixOf(drilled);
writeFileSync(join(root, 'drill', 'matrix.json'), matrixText(matrix));
writeFileSync(page, await pageOf(matrix));
process.stdout.write(`${matrix.faults.length} faults in ${Math.round(drilled.durationMs / 1000)} s\n`);
process.exitCode = problemsOf(drilled).length > 0 ? 1 : 0;
