import { writeFileSync } from 'node:fs';
import { faults } from '../../reference-service/index.ts';
import {
  committedMatrix,
  drillTasks,
  problemsOfSpread,
  spreadDocument,
  spreadFile,
  spreadResults,
  spreadTasks,
} from '../../src/fault-injection/index.ts';
import { page, pageOf } from './run-drill.ts';

// Drills the faults on all other readings, and writes the results to src/fault-injection/spread.json and docs/kill-matrix.md.
const start = performance.now();
const found = await drillTasks(spreadTasks({ faults }));
const results = spreadResults(found, faults);
const document = spreadDocument(found, results);
writeFileSync(spreadFile, `${JSON.stringify(document, null, 2)}\n`);
writeFileSync(page, await pageOf(committedMatrix(), document));
const problems = problemsOfSpread(found, results);
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${document.of} on other readings in ${Math.round((performance.now() - start) / 1000)} s\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
