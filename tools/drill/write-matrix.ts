import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faults } from '../../reference-service/index.ts';
import { projectRoot } from '../../src/config/project-root.ts';
import { committedMatrix, drill, matrixOf, matrixText, problemsOf } from '../../src/fault-injection/index.ts';
import { drillAll, page, pageOf } from './run-drill.ts';

// Drills everything on the plain reading, and writes the results to src/fault-injection/matrix.json and docs/kill-matrix.md;
// with `--missing` only the faults without a line, which takes seconds.
const known = process.argv.includes('--missing') ? committedMatrix().faults : [];
const missing = faults.filter(({ name }) => !known.some((row) => row.name === name));
const drilled = known.length > 0 ? await drill({ faults: missing, variants: [] }) : await drillAll();
const rows = new Map([...known, ...matrixOf(drilled).faults].map((row) => [row.name, row]));
const matrix = { faults: faults.flatMap(({ name }) => rows.get(name) ?? []) };
writeFileSync(join(projectRoot, 'src', 'fault-injection', 'matrix.json'), matrixText(matrix));
writeFileSync(page, await pageOf(matrix));
process.stdout.write(`${drilled.faults.length} faults in ${Math.round(drilled.durationMs / 1000)} s\n`);
process.exitCode = problemsOf(drilled).length > 0 ? 1 : 0;
