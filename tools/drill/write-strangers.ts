import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { wireScore } from '../../src/fault-injection/index.ts';
import { runScore, surveyScore } from '../../src/testing/survey/scores.ts';
import { strangers } from '../../src/testing/survey/strangers/index.ts';
import { withStranger } from '../../src/testing/survey/strangers/stranger.ts';
import { table } from './table.ts';
import { services } from './timeline/services.ts';
import { playDrill } from './wire/play.ts';

// Scores the suite on every stranger, and writes docs/strangers.md.

/** Every so many of the faults of the wire: docs/wire-faults.md has them all. */
const ONE_OF = 8;

const rows: (readonly (string | number)[])[] = [];
for (const [name, stranger] of Object.entries(strangers)) {
  const run = await withStranger(stranger, (environment) => runScore(environment));
  const survey = await surveyScore(stranger);
  let faults = '';
  await services[name]?.(async (environment) => {
    const { outcomes } = await playDrill(name, environment, 0, ONE_OF);
    const unseen = outcomes.filter(({ became }) => became === 'unseen').length;
    faults = `${wireScore(outcomes).caught} of ${outcomes.length}${unseen > 0 ? `, ${unseen} can't be seen` : ''}`;
  });
  const { passed, unproven, skipped, red } = run;
  const decided = `${survey.decided} of ${survey.asked}`;
  rows.push([name, faults, passed, red.length, unproven, skipped, decided, survey.wrong.length, survey.alarms.length]);
  process.stderr.write(`${rows.at(-1)?.join(' · ')}\n`);
}

const page = [
  '# Services that the suite was not made with',
  `Each is a correct service of other habits (\`src/testing/survey/strangers/\`). \`npm run drill:strangers\` makes this page; every ${ONE_OF}th [fault of the wire](wire-faults.md) is tried.`,
  table([
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
    ...rows,
  ]),
  'An alarm on `terse` is disputed: it takes row 13 without `mm-user-id`, which part 5 lists among the headers required.',
].join('\n\n');
writeFileSync(join(projectRoot, 'docs', 'strangers.md'), `${page}\n`);
