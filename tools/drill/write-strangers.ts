import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { wireScore } from '../../src/drill/index.ts';
import { runScore, surveyScore } from '../../src/testing/survey/scores.ts';
import { strangers } from '../../src/testing/survey/strangers/index.ts';
import { table } from '../pages/table.ts';
import { services } from './timeline/services.ts';
import { playDrill } from './wire/play.ts';

// Scores the suite on every stranger, or on those that are named, and writes docs/strangers.md; the rows of the others stay.
const file = join(projectRoot, 'docs', 'strangers.md');
const played = Object.keys(strangers).filter((name) => process.argv.length < 3 || process.argv.includes(name));

/** Every so many of the faults of the wire: docs/wire-faults.md has them all. */
const ONE_OF = 8;

const rows = new Map<string, readonly (string | number)[]>();
for (const line of readFileSync(file, 'utf8').split('\n')) {
  const cells = line.split('|').map((cell) => cell.trim());
  if (cells[1] !== undefined && cells[1] in strangers) rows.set(cells[1], cells.slice(1, -1));
}
for (const name of played) {
  const run = await runScore({ name });
  const survey = await surveyScore({ name });
  let faults = '';
  await services[name]?.(async (environment) => {
    const { outcomes } = await playDrill(name, environment, 0, ONE_OF);
    const unseen = outcomes.filter(({ became }) => became === 'unseen').length;
    faults = `${wireScore(outcomes).caught} of ${outcomes.length}${unseen > 0 ? `, ${unseen} can't be seen` : ''}`;
  });
  const { passed, unproven, skipped, red } = run;
  const decided = `${survey.decided} of ${survey.asked}`;
  const row = [name, faults, passed, red.length, unproven, skipped, decided, survey.wrong.length, survey.alarms.length];
  rows.set(name, row);
  process.stderr.write(`${row.join(' · ')}\n`);
}

const page = [
  '# Services that the suite was not made with',
  `Each is a correct service of other habits (\`src/testing/survey/strangers/\`). \`npm run drill:strangers\` makes this page; every ${ONE_OF}th [fault of the wire](wire-faults.md) is tried.`,
  table(
    [
      'service',
      'faults caught',
      'passed',
      'alarms',
      'unproven',
      'skipped',
      'survey: decided',
      'survey: wrong',
      'alarms after the survey',
    ],
    Object.keys(strangers).flatMap((name) => [rows.get(name) ?? []].filter((row) => row.length > 0)),
  ),
  'An alarm on `terse` is disputed: it takes row 13 without `mm-user-id`, which part 5 lists among the headers required.',
].join('\n\n');
writeFileSync(file, `${page}\n`);
