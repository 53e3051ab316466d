import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { faults, variants } from '../../reference-service/index.ts';
import { outcomeLine } from '../../src/cli/drill/report.ts';
import { projectRoot } from '../../src/config/project-root.ts';
import {
  aloneIn,
  catchers,
  committedMatrix,
  committedSpread,
  type Drilled,
  differences,
  drill,
  drillTasks,
  type FaultOutcome,
  killMatrixPage,
  type Matrix,
  matrixOf,
  problemsOfOne,
  problemsOfSpread,
  spread,
  spreadResults,
  spreadTasks,
  type TaskOutcome,
} from '../../src/fault-injection/index.ts';
import { allScenarios } from '../../src/runner/index.ts';
import { add, type Counts } from '../test-runner/work.ts';

export const page = join(projectRoot, 'docs', 'kill-matrix.md');

export async function columns(): Promise<Map<string, string>> {
  return new Map((await allScenarios()).map(({ title, file }) => [title, basename(dirname(file))]));
}

export async function pageOf(matrix: Matrix, drilledSpread?: Parameters<typeof killMatrixPage>[2]): Promise<string> {
  return killMatrixPage(matrix, await columns(), drilledSpread);
}

/** Prints unexpected results as they come. */
export const onOutcome: NonNullable<Parameters<typeof drill>[0]['onOutcome']> = (outcome) => {
  const problems = problemsOfOne(outcome);
  if (problems.length > 0) process.stdout.write(`${outcomeLine(outcome)}\n  ${problems.join('\n  ')}\n`);
};

/**
 * Each fault with the scenarios that caught it in the last complete drill, which must catch it again: those whose catching is compared,
 * if there are any. What was caught by none, or is not caught by these now, with all. That more catch it now is left to `npm run drill:matrix`.
 */
async function drillAsBefore(): Promise<Drilled> {
  const committed = committedMatrix();
  const isComparable = await comparable();
  const only = catchers(committed, isComparable);
  const drilled = await drill({ faults, variants, only, spread: sampleOf(only), isQuick: true });
  const isAsBefore = (outcome: FaultOutcome) =>
    problemsOfOne(outcome).length === 0 &&
    differences(committed, matrixOf({ faults: [outcome], variants: [] }), isComparable).length === 0;
  const changed = drilled.faults.filter((outcome) => !isAsBefore(outcome)).map(({ fault }) => fault);
  const again = await drill({ faults: changed, variants: [], onOutcome });
  for (const variant of drilled.variants) onOutcome(variant);
  const whole = new Map(again.faults.map((outcome) => [outcome.fault.name, outcome]));
  return {
    faults: drilled.faults.map((outcome) => whole.get(outcome.fault.name) ?? outcome),
    variants: drilled.variants,
    spread: drilled.spread,
    durationMs: drilled.durationMs + again.durationMs,
  };
}

/**
 * The drill as part of `npm test`: one count per fault and valid variant, one for the matrix, and those of a sample of the other
 * readings.
 */
async function runDrill(): Promise<Counts> {
  const drilled = await drillAsBefore();
  const outcomes = [...drilled.faults, ...drilled.variants];
  const failed = outcomes.filter((outcome) => problemsOfOne(outcome).length > 0).length;
  const stale = await stalePlaces(matrixOf(drilled));
  for (const place of stale) process.stdout.write(`the kill matrix is out of date: ${place}\n`);
  if (stale.length > 0) process.stdout.write('npm run drill:matrix updates it\n');
  const seconds = Math.round(drilled.durationMs / 1000);
  process.stdout.write(
    `drill: ${outcomes.length - failed} of ${outcomes.length} as expected by the catalogue (${seconds} s)\n`,
  );
  const matrix = stale.length > 0 ? 1 : 0;
  const plain = { passed: outcomes.length - failed + (1 - matrix), failed: failed + matrix, skipped: 0 };
  return add(plain, await judgeSpread(drilled.spread));
}

/** What random plans catch depends on their steps, and what is generated on the order of its cases. */
async function comparable(): Promise<(title: string) => boolean> {
  const folders = await columns();
  return (title) => folders.get(title) === 'scenarios';
}

async function stalePlaces(found: Matrix): Promise<string[]> {
  const committed = committedMatrix();
  const places = differences(committed, found, await comparable());
  const names = new Set(faults.map(({ name }) => name));
  const gone = committed.faults.filter(({ name }) => !names.has(name)).map(({ name }) => `${name} no longer exists`);
  const isCurrentPage = readFileSync(page, 'utf8') === (await pageOf(committed));
  const { combinations } = committedSpread();
  if (combinations !== spread.length)
    gone.push(
      `${combinations} combinations of readings were drilled, and there are ${spread.length}; npm run drill:spread`,
    );
  return [
    ...places,
    ...gone,
    ...(isCurrentPage ? [] : ['docs/kill-matrix.md differs from src/fault-injection/matrix.json']),
  ];
}

/** One row in so many, and one fault in so many: the whole spread takes two minutes, which `npx sextant drill` is for. */
const ROW_IN = 9;
const FAULT_IN = 6;

const drillable = faults.filter(({ survives }) => !survives);
const sample = drillable.filter((_, index) => index % FAULT_IN === 0);

/** A fixed sample of the faults on a fixed sample of the readings, to the scenarios that catch them on the plain one. */
function sampleOf(only: ReturnType<typeof catchers>) {
  const rows = [...spread.keys()].filter((row) => row % ROW_IN === 0);
  return spreadTasks({ faults: sample, rows, perFault: 1, only });
}

/** One count for each fault on a row, and each row alone. What the scenarios missed that were played is played to all. */
async function judgeSpread(first: Drilled['spread']): Promise<Counts> {
  const missed = new Set(spreadResults(first, faults).flatMap(({ fault, why }) => (why ? [fault.name] : [])));
  const isMissed = ({ task }: TaskOutcome) => missed.has(task.changes[0] ?? '');
  const again = await drillTasks(first.filter(isMissed).map(({ task: { only: _, ...task } }) => task));
  const found = [...first.filter((outcome) => !isMissed(outcome)), ...again];
  const results = spreadResults(found, faults);
  const problems = problemsOfSpread(found, results);
  for (const problem of problems) process.stdout.write(`other readings: ${problem}\n`);
  const alone = aloneIn(found).length;
  const count = alone + results.length;
  process.stdout.write(
    `other readings: ${count - problems.length} of ${count} as expected: ${alone} of ${spread.length} combinations, ${sample.length} of ${drillable.length} faults; \`npx sextant drill\` runs all\n`,
  );
  return { passed: count - problems.length, failed: problems.length, skipped: 0 };
}

if (import.meta.main) {
  const counts = await runDrill();
  mkdirSync(join(projectRoot, 'results'), { recursive: true });
  writeFileSync(join(projectRoot, 'results', 'drill.json'), JSON.stringify(counts));
  process.exitCode = counts.failed > 0 ? 1 : 0;
}
