import { writeFileSync } from 'node:fs';
import { faults, variants } from '../../reference-service/index.ts';
import { outcomeLine } from '../../src/cli/drill/report.ts';
import { drill, problemsOf, problemsOfOne } from '../../src/drill/index.ts';
import { committedMatrix, type Matrix, matrixFile, matrixOf, matrixText } from './matrix.ts';
import { page, pageOf } from './matrix-page.ts';

// Drills all faults and variants on the reference service as it is by default, and writes tools/drill/matrix.json and
// docs/internals/kill-matrix.md. With `--missing`, drills only faults and variants that the matrix lacks, which takes seconds.
const start = performance.now();
const problems = await writeMatrix();
process.stdout.write(`in ${Math.round((performance.now() - start) / 1000)} s\n`);
process.exitCode = problems > 0 ? 1 : 0;

async function writeMatrix(): Promise<number> {
  const knownMatrix: Matrix = process.argv.includes('--missing') ? committedMatrix() : { faults: [], variants: [] };
  const inKnown = new Set([...knownMatrix.faults, ...knownMatrix.variants].map(({ name }) => name));
  const isMissing = ({ name }: { readonly name: string }) => !inKnown.has(name);
  const drilled = await drill({
    faults: faults.filter(isMissing),
    variants: variants.filter(isMissing),
    // Prints an unexpected result at once.
    onOutcome: (outcome) => {
      const problems = problemsOfOne(outcome);
      if (problems.length > 0) process.stdout.write(`${outcomeLine(outcome)}\n  ${problems.join('\n  ')}\n`);
    },
  });
  const found = matrixOf(drilled);
  const inOrder = <Row extends { readonly name: string }>(
    rows: readonly Row[],
    all: readonly { readonly name: string }[],
  ) => all.flatMap(({ name }) => rows.findLast((row) => row.name === name) ?? []);
  const matrix = {
    faults: inOrder([...knownMatrix.faults, ...found.faults], faults),
    variants: inOrder([...knownMatrix.variants, ...found.variants], variants),
  };
  writeFileSync(matrixFile, matrixText(matrix));
  writeFileSync(page, await pageOf(matrix));
  process.stdout.write(`${drilled.faults.length} faults and ${drilled.variants.length} variants `);
  return problemsOf(drilled).length;
}
