import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faults, variants } from '../reference-service/index.ts';
import { caughtBy, drill, score } from '../src/drill/index.ts';
import { asSurveyed, runScore, surveyScore } from '../src/testing/survey/scores.ts';
import { strangers } from '../src/testing/survey/strangers/index.ts';

// Prints how many faults the suite catches, and how many false alarms it raises on correct services: on valid variants of the reference
// service, and on strangers, the services that the suite wasn't made with. Arguments choose strangers by name.
const state = mkdtempSync(join(tmpdir(), 'sextant-scores-'));
process.on('exit', () => rmSync(state, { recursive: true, force: true }));
// The state of earlier runs must not change a score.
process.env.SEXTANT_STATE = state;

const chosen = Object.keys(strangers).filter((name) => process.argv.length < 3 || process.argv.includes(name));
const start = performance.now();
const say = (text: string) => void process.stdout.write(`${text}\n`);
const seconds = () => `${Math.round((performance.now() - start) / 1_000)} s`;

const drilled = await drill({ faults, variants });
const scored = drilled.faults.map((outcome) => ({ ...outcome.fault, caughtBy: caughtBy(outcome) }));
const documented = score(scored.filter(({ grade }) => grade === 'documented'));
const all = score(scored);
const alarmed = drilled.variants.filter(({ red }) => red.length > 0).map(({ variant }) => variant.name);
say(`drill: ${documented.caught} of ${documented.of} documented faults caught (${documented.percent} %)`);
say(`drill: ${all.caught} of ${all.of} faults caught (${all.percent} %)`);
say(`drill: alarms on ${alarmed.length} of ${drilled.variants.length} valid variants ${alarmed.join(', ')}`.trimEnd());
say(`drill: ${seconds()}`);

for (const name of chosen) {
  const run = await runScore({ name });
  const survey = await surveyScore(asSurveyed(name));
  const { passed, red, unproven, skipped } = run;
  say(
    `${name}: ${passed} passed, ${red.length} alarms, ${unproven} unproven, ${skipped} skipped; survey: ${survey.decided} of ${survey.asked} decided, ${survey.wrong.length} wrong, ${survey.alarms.length} alarms afterwards`,
  );
  for (const { title, reason } of red) say(`  ${title}: ${reason?.split('\n')[0]}`);
  for (const problem of [...survey.wrong, ...survey.alarms]) say(`  ${problem.split('\n')[0]}`);
}
say(`node ${process.version}, ${seconds()} in all`);
