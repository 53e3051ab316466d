import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faults } from '../../reference-service/index.ts';
import { projectRoot } from '../../src/config/project-root.ts';
import {
  drillSpread,
  matrixOf,
  matrixText,
  problemsOf,
  problemsOfSpread,
  spreadDocument,
  spreadFile,
  spreadResults,
} from '../../src/fault-injection/index.ts';
import { drillAll, page, pageOf } from './run-drill.ts';

// Drills everything, and writes the results to src/fault-injection/matrix.json, spread.json and docs/kill-matrix.md.
const drilled = await drillAll();
const matrix = matrixOf(drilled);
writeFileSync(join(projectRoot, 'src', 'fault-injection', 'matrix.json'), matrixText(matrix));
const found = await drillSpread({ faults });
const results = spreadResults(found, faults);
const spread = spreadDocument(found, results);
writeFileSync(spreadFile, `${JSON.stringify(spread, null, 2)}\n`);
writeFileSync(page, await pageOf(matrix, spread));
process.stdout.write(`${matrix.faults.length} faults in ${Math.round(drilled.durationMs / 1000)} s\n`);
process.stdout.write(`${spread.of} on other readings in ${Math.round(found.durationMs / 1000)} s\n`);
process.exitCode = problemsOf(drilled).length + problemsOfSpread(found, results).length > 0 ? 1 : 0;
