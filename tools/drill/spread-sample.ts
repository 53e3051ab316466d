import { faults } from '../../reference-service/index.ts';
import { drillSpread, problemsOfSpread, spread, spreadResults } from '../../src/fault-injection/index.ts';
import type { Counts } from '../test-runner/steps.ts';

/** One row in so many, and one fault in so many: the whole spread takes two minutes, which `npx sextant drill` is for. */
const ROW_IN = 9;
const FAULT_IN = 6;

/** A fixed sample of the faults on a fixed sample of the readings; one count for each fault on a row, and each row alone. */
export async function runSpreadSample(): Promise<Counts> {
  const rows = [...spread.keys()].filter((row) => row % ROW_IN === 0);
  const drillable = faults.filter(({ survives }) => !survives);
  const sample = drillable.filter((_, index) => index % FAULT_IN === 0);
  const found = await drillSpread({ faults: sample, rows, perFault: 1 });
  const results = spreadResults(found, faults);
  const problems = problemsOfSpread(found, results);
  for (const problem of problems) process.stdout.write(`other readings: ${problem}\n`);
  const count = found.alone.length + results.length;
  const seconds = Math.round(found.durationMs / 1000);
  process.stdout.write(
    `other readings: ${count - problems.length} of ${count} as expected: ${found.alone.length} of ${spread.length} combinations, ${sample.length} of ${drillable.length} faults (${seconds} s); \`npx sextant drill\` runs all\n`,
  );
  return { passed: count - problems.length, failed: problems.length, skipped: 0 };
}
