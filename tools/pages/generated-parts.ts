import { assumptions } from '../../reference-service/assumptions/table.ts';
import { score } from '../../src/drill/index.ts';
import { type KeyEntry, keys, secretKeys } from '../../src/environment/index.ts';
import { channelTypes, settingKeys } from '../../src/monitor/index.ts';
import { operationIds } from '../../src/service/index.ts';
import { noticeStories, storiesIn } from '../../src/testing/monitor/notice-stories.ts';
import { readers, readersOf, shownTo } from '../../src/testing/monitor/page-readers.ts';
import { endings, signals, ways } from '../../src/testing/programs/endings.ts';
import { spellingRows } from '../../src/testing/spelling-rows.ts';
import { categoryTitles, gradeTable, verdicts } from '../../src/verdict/index.ts';
import { committedMatrix } from '../drill/matrix.ts';
import { stack } from '../layers/stack.ts';
import { licencesOf } from '../lockfile.ts';
import { commandLines } from './command-lines.ts';
import { fixtureRows } from './fixture-rows.ts';
import { messageParts } from './messages.ts';
import { inCell, table } from './table.ts';

/** The cells of the table for a spelling of a secret. Control characters in the example are shown as in JSON. */
function spellingCells({ name, example, alone, inside }: ReturnType<typeof spellingRows>[number]): string[] {
  const shown = JSON.stringify(example).slice(1, -1).replace(/\\\\/g, '\\').replace(/\\"/g, '"');
  return [name, `\`${inCell(shown)}\``, alone, inside];
}

/** The sentence about the faults that the suite catches, from the results of the last complete drill. */
function drillFigures(): string {
  const { faults, variants } = committedMatrix();
  const documented = score(faults.filter(({ grade }) => grade === 'documented'));
  const share =
    documented.caught === documented.of ? `all ${documented.of}` : `${documented.caught} of the ${documented.of}`;
  const alarms = variants.filter((row) => row.alarms.length > 0).length;
  return `The drill breaks the reference service in ${faults.length} ways. The suite catches ${share} faults that violate the specification and ${Math.floor(score(faults).percent)} % of all\nfaults, with ${alarms === 0 ? 'no false alarm on' : `false alarms on ${alarms} of`} ${variants.length} valid variants of the service.`;
}

function keyCells([key, { meaning, fallback, required }]: [string, KeyEntry], whenRequired: string): string[] {
  const byDefault = fallback === undefined ? '–' : `\`${fallback}\``;
  return [`\`${key}\``, inCell(meaning), required ? whenRequired : fallback === '' ? 'none' : byDefault];
}

/** Generated tables of pages, each between `<!-- name -->` and `<!-- /name -->`. */
const tables: readonly [page: string, name: string, headings: readonly string[], rows: Parameters<typeof table>[1]][] =
  [
    [
      'ARCHITECTURE.md',
      'layers',
      ['files', 'hold'],
      // In reverse, because the page shows the layers from the top down.
      Object.values(stack)
        .toReversed()
        .map(([files, holds]) => [`\`${files}\``, holds]),
    ],
    ['docs/write-a-scenario.md', 'fixtures', ['name', 'gives', 'needs'], await fixtureRows()],
    [
      'reference-service/README.md',
      'assumptions',
      ['operation', 'question', 'assumption', 'reason'],
      assumptions.map(({ operations, question, answer, why }) => {
        const named = operations.length === operationIds.length ? 'all' : operations.join(', ');
        return [named, `\`${question}\``, answer, why];
      }),
    ],
    [
      'docs/concepts.md',
      'verdicts',
      ['verdict', 'exit code', 'service', 'means'],
      Object.entries(verdicts)
        .toReversed()
        .map(([name, facts]) => [`\`${name}\``, facts.exitCode, facts.health, facts.meaning]),
    ],
    [
      'docs/concepts.md',
      'grades',
      ['grade', 'the expectation comes from', 'broken'],
      Object.entries(gradeTable).map(([grade, { source, broken }]) => [`\`${grade}\``, source, `\`${broken}\``]),
    ],
    [
      'docs/reference/keys.md',
      'keys',
      ['key', 'meaning', 'when absent'],
      [
        ...Object.entries<KeyEntry>(keys).map((key) => keyCells(key, 'required')),
        ...Object.entries(secretKeys).map(([key, meaning]) => [`\`${key}\``, meaning, 'secret']),
      ],
    ],
    [
      'docs/reference/keys.md',
      'monitor-keys',
      ['key', 'meaning', 'when absent'],
      Object.entries<KeyEntry>(settingKeys).map((key) => keyCells(key, 'required')),
    ],
    [
      'docs/reference/keys.md',
      'channels',
      ['channel', 'key', 'meaning', 'when absent'],
      Object.entries(channelTypes).flatMap(([name, channel]) =>
        Object.entries<KeyEntry>(channel.keys).map((key) => [name, ...keyCells(key, 'the channel is off')]),
      ),
    ],
    [
      'docs/security.md',
      'spellings',
      ['spelling', 'example', 'masked', 'inside each other'],
      spellingRows().map(spellingCells),
    ],
    [
      'docs/ci.md',
      'signals',
      ['started', ...signals],
      ways.map(({ name, ends }) => [name, ...signals.map((signal) => endings[ends[signal]])]),
    ],
    [
      'docs/monitor.md',
      'readers',
      ['', ...Object.keys(readers)],
      Object.entries(shownTo).map(([request, shown]) => [`\`${request}\``, ...readersOf(shown)]),
    ],
    [
      'docs/notices.md',
      'notices',
      ['what happens', 'notice', 'headline'],
      storiesIn(noticeStories).flatMap(({ name, expected }) =>
        expected.map((line, index) => {
          const [, kind = '', headline = ''] = /^\d+ (\w+): (.*)$/.exec(line) ?? [];
          return [index === 0 ? name : '', `\`${kind}\``, headline];
        }),
      ),
    ],
    [
      'docs/internals/libraries.md',
      'licences',
      ['licence', 'packages', ''],
      [...licencesOf()].map(([licence, names]) => [licence, names.length, names.join(', ')]),
    ],
  ];

/** The generated parts of pages. */
export const parts: readonly { readonly page: string; readonly name: string; readonly part: string }[] = [
  { page: 'README.md', name: 'drill', part: drillFigures() },
  {
    page: 'docs/run-and-read.md',
    name: 'categories',
    part: categoryTitles()
      .map(({ title }) => `- ${title}`)
      .join('\n'),
  },
  { page: 'docs/reference/command-line.md', name: 'commands', part: await commandLines() },
  ...messageParts().map(([name, part]) => ({ page: 'docs/reference/messages.md', name, part })),
  ...tables.map(([page, name, headings, rows]) => ({ page, name, part: table(headings, rows) })),
];
