import { whileServing } from '../reference-service/index.ts';
import { type Ending, faultsToReproduce, isReproduced, Machines } from '../src/testing/reproducibility.ts';
import { embeddedEnvironment } from '../src/testing/test-environment.ts';

// Prints how `check` ends for each documented fault, and for each operation with each of several wrong statuses. Plays each fault on three
// machines (a fresh clone, one with ten green runs, and one whose last run met the fault), each time with facts and without. Arguments
// choose faults by a part of their names.
const GREEN_RUNS = 10;
const words = process.argv.slice(2);
const chosen = faultsToReproduce().filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
const say = (line: string) => void process.stdout.write(`${line}\n`);
const shown = ({ exitCode, red }: Ending) => `${exitCode} (${red.length} red)`;

let different = 0;
await whileServing({ port: 0, quiet: true }, async (service) => {
  const { facts, provisionUrl: _, ...embedded } = embeddedEnvironment(service);
  const quick = { ...embedded, requestBudget: 4, consistencyTimeoutMs: 300 };
  for (const [mode, environment] of [
    ['facts', { ...quick, ...(facts ? { facts } : {}) }],
    ['none', quick],
  ] as const) {
    using machines = new Machines(service, environment);
    await machines.prepare(GREEN_RUNS);
    say(`| ${mode}: fault | fresh clone | ten green runs | met the fault |\n|---|---|---|---|`);
    for (const fault of chosen) {
      const row = await machines.reproduce(fault);
      const { fresh, afterGreen, afterFault } = row;
      const isSame = isReproduced(row);
      if (!isSame) different++;
      say(
        `| ${fault.name}${isSame ? '' : ' **differs**'} | ${[fresh, afterGreen, afterFault].map(shown).join(' | ')} |`,
      );
      if (isSame) continue;
      for (const title of new Set([fresh, afterGreen, afterFault].flatMap(({ red }) => red)))
        if (![fresh, afterGreen, afterFault].every(({ red }) => red.includes(title))) say(`  ${title}`);
    }
  }
});
say(`${chosen.length} faults, ${different} rows differ`);
process.exitCode = different > 0 ? 1 : 0;
