import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { faults } from '../../reference-service/index.ts';
import { ApiResponse, Call, ExpectationError, verdicts } from '../../src/client/index.ts';
import { projectRoot } from '../../src/config/project-root.ts';
import { committedMatrix, drillHere } from '../../src/fault-injection/index.ts';
import { scenarios } from '../../src/runner/index.ts';
import { outputFolder } from '../../src/scenario/index.ts';
import { ANYTHING, type Mutant, withoutEachAssertion } from './without-assertion.ts';

/*
 * Removes one assertion at a time from the scenarios, and drills the scenario with every fault that it caught with the
 * assertion in place. Faults that are still caught don't need the assertion.
 */

/** A judgement that accepts any result of a call. */
async function anything(this: Call): Promise<ApiResponse> {
  try {
    return await this.settles();
  } catch (error) {
    if (error instanceof ExpectationError) return new ApiResponse(error.exchange, new Set());
    throw error;
  }
}

interface Finding {
  readonly place: string;
  readonly removed: string;
  /** Faults that the scenario no longer catches. */
  readonly blindTo: readonly string[];
  /** Those that no other scenario catches: the score drops. */
  readonly unseen: readonly string[];
}

const matrix = committedMatrix();
const work = join(outputFolder(), 'mutants');

async function find(file: string, mutant: Mutant, number: number): Promise<Finding> {
  const folder = join(work, String(number), 'scenarios');
  mkdirSync(folder, { recursive: true });
  const up = relative(folder, join(projectRoot, 'fixtures', 'index.ts')).replaceAll('\\', '/');
  writeFileSync(join(folder, file), mutant.source.replaceAll('../../fixtures/index.ts', up));
  const mutated = (await scenarios(relative(join(projectRoot, 'tests'), folder))).filter(
    ({ title }) => title === mutant.title,
  );
  const rows = matrix.faults.filter(({ caughtBy }) => caughtBy.includes(mutant.title));
  const changes = faults.filter(({ name }) => rows.some((row) => row.name === name));
  const caught = new Set<string>();
  await drillHere(changes, { scenarios: mutated, seed: 'drill' }, (name, { red }) => {
    if (red.some(({ verdict }) => verdicts[verdict].detects)) caught.add(name);
  });
  const blind = rows.filter(({ name }) => !caught.has(name));
  return {
    place: `tests/scenarios/${file}:${mutant.line}`,
    removed: mutant.removed,
    blindTo: blind.map(({ name }) => name),
    unseen: blind.filter(({ caughtBy }) => caughtBy.length === 1).map(({ name }) => name),
  };
}

Object.assign(Call.prototype, { [ANYTHING]: anything });
rmSync(work, { recursive: true, force: true });
const folder = join(projectRoot, 'tests', 'scenarios');
const only = process.argv[2] ?? '';
const counts = { score: 0, scenario: 0, redundant: 0 };
let number = 0;
for (const file of readdirSync(folder).filter((name) => name.includes(only))) {
  for (const mutant of withoutEachAssertion(readFileSync(join(folder, file), 'utf8'))) {
    const { place, removed, blindTo, unseen } = await find(file, mutant, number++);
    const effect = unseen.length > 0 ? 'score' : blindTo.length > 0 ? 'scenario' : 'redundant';
    counts[effect]++;
    const words = {
      score: `score drops by ${unseen.length}`,
      scenario: `misses ${blindTo.length}`,
      redundant: 'REDUNDANT',
    };
    process.stdout.write(`${words[effect].padEnd(20)} ${place}  ${removed}\n`);
    for (const name of unseen) process.stdout.write(`${' '.repeat(21)}nothing else catches ${name}\n`);
  }
}
rmSync(work, { recursive: true, force: true });
process.stdout.write(
  `\n${number} assertions: removing ${counts.score} lowers the score, removing ${counts.scenario} weakens the scenario, ${counts.redundant} are redundant in the drill\n`,
);
