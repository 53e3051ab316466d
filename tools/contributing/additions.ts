import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, entryIn, importIn, newFile } from '../../src/cli/skeletons/insert.ts';
import { type OperationWish, operationSkeleton } from '../../src/cli/skeletons/skeletons.ts';
import { projectRoot } from '../../src/config/project-root.ts';

/** Puts `to` in the place of `from` in a file. */
export function replace(file: string, from: string, to: string): Change {
  return {
    file,
    make: (text) => {
      if (!text?.includes(from)) throw new Error(`${file} doesn't contain ${from}`);
      return text.replace(from, () => to);
    },
  };
}

/** Inserts `added` before the first `marker` of a file. */
const insert = (file: string, marker: string, added: string) => replace(file, marker, added + marker);

/** Where faults of responses are. */
const responses = ['reference-service/faults/requests-and-responses.ts', "    'unblock-done-but-401'"] as const;

type Addition = readonly Change[];

/** Everything that the skeleton of the operation leaves open, but for its scenario. */
export const operationFilledIn: Addition = [
  replace(
    'schemas/story-pin.ts',
    'properties: {},\n  required: [],',
    "properties: { storyId: { type: 'string', minLength: 1 }, place: { type: 'integer' } },\n  required: ['storyId', 'place'],",
  ),
  replace(
    'src/spec/samples.ts',
    'storyPin: () => ({})',
    'storyPin: async ({ story }) => ({ storyId: await story(), place: 1 })',
  ),
  replace(
    'reference-service/handlers/index.ts',
    "  // Not written yet.\n  pinStory: { handle: () => ({ status: 501 }), statuses: [200], body: 'no body' },",
    "  pinStory: { handle: ({ args }) => ok(args), statuses: [200], body: '{storyId: string, place: integer}' },",
  ),
];

/** Puts a call in the place of what the skeleton of a scenario says instead of its story. */
export function filledIn(file: string, call: string, values = '{ stories }'): Change {
  return {
    file,
    make: (text = '') =>
      text
        .replace(', unwritten', '')
        .replace('async ({ stories })', `async (${values})`)
        .replace(/ {2}\/\/ await.*\n.*\n/, `  await ${call}.succeeds();\n`),
  };
}

const example = readFileSync(join(projectRoot, 'environments/example.env'), 'utf8');

/** An entry of the verdicts' table. */
const verdict = (name: string) => `  ${name}: {
    meaning: 'the service asked to come back later',
    severity: 2.5,
    health: 'unknown',
    fellShort: 'nothing',
    ran: true,
    colour: 'cyan',
    category: 'Postponed: the service asked to come back later',
  },
`;

/** What `sextant new operation` writes of one in stories, but for `wish`. */
export function operation(name: string, path: string, wish: Partial<OperationWish> = {}): Addition {
  const usual = { area: 'stories', method: 'GET', headers: 'user', effect: 'read' } as const;
  return operationSkeleton({ ...usual, name, path, ...wish }).changes;
}

/** The edits of each addition, by heading in CONTRIBUTING without `Add `, formatted in a hurry; the page says which belong to which step. */
export const additions = {
  'an operation': [
    ...operation('pinStory', '/v1/stories/pin', { method: 'POST', effect: 'irreversible', request: 'storyPin' }),
    insert(...responses, "    'pinStory-done-but-503': { respond: onSuccess(() => ({ status: 503 })) },\n"),
  ],
  'an area': [
    insert(
      'src/spec/areas.ts',
      '  friends: {',
      "  photos: { title: 'Photos', addressKey: 'PHOTO_URL', purpose: 'albums of a user' },\n",
    ),
    insert('environments/local.env', 'FRIEND_URL=', 'PHOTO_URL=http://127.0.0.1:4017\n'),
  ],
  'an environment': [
    // As the example is once the area above is added.
    newFile('environments/qa.env', `PHOTO_URL=https://photos.example\n${example}`),
  ],
  'an environment key': [
    insert('src/config/keys/keys.ts', '  REPORT_LANGUAGE:', "  ALBUM_ID: key(text, 'an album that may be shown'),\n"),
    insert('src/config/environment.ts', '        storyId:', '        albumId: values.ALBUM_ID,\n'),
  ],
  'a verdict': [insert('src/client/verdict/verdicts.ts', '  skipped: {', verdict('postponed'))],
  'a fault': [insert(...responses, "    'love-done-but-502': { respond: onSuccess(() => ({ status: 502 })) },\n")],
  'an alert channel': [
    newFile(
      'src/monitor/alerting/channels/pager.ts',
      `import { type ChannelType, posting, required, webAddress } from '../channel.ts';

/** A pager that takes a headline. */
export const pager: ChannelType = posting(
  { PAGER_URL: required(webAddress, 'address of the pager') },
  (notice, { PAGER_URL = '' }) => ({ url: PAGER_URL, body: { text: notice.headline } }),
);
`,
    ),
    importIn('src/monitor/alerting/channels/registry.ts', 'pager', './pager.ts'),
    entryIn('src/monitor/alerting/channels/registry.ts', 'export const channelTypes = {', '  pager,\n'),
  ],
  'a survey question': [
    newFile(
      'src/survey/experiments/request-id.ts',
      `import { header } from '../../client/index.ts';
import { among, oneQuestion } from './experiment.ts';

/** The header in which a response names its request. */
export const requestId = oneQuestion('request-id', among('evaluate'), async (question) => {
  const control = await question.control();
  const isNamed = control.response !== undefined && header(control.response, 'x-request-id') !== undefined;
  return { answer: isNamed ? 'x-request-id' : 'none', seen: [control] };
});
`,
    ),
    insert('src/survey/experiments/index.ts', '  errorShape,\n  repeat', '  requestId,\n'),
    importIn('src/survey/experiments/index.ts', 'requestId', './request-id.ts'),
    insert(
      'reference-service/assumptions/table.ts',
      "  ...about(['evaluate'], { 'default-fallback'",
      "  ...about(['evaluate'], { 'request-id': ['x-request-id', 'logs hold it'] }),\n",
    ),
    // None of the strangers names its responses.
    insert(
      'src/testing/survey/strangers/truth.ts',
      "  ['*', /^success-status$/,",
      "['evaluate', /^request-id$/, 'none'],\n",
    ),
  ],
  'a command': [
    newFile(
      'src/cli/commands/areas.ts',
      `import { Command } from 'commander';
import { areaIds } from '../../spec/index.ts';

/** \`sextant areas\`: the areas of the service. */
export function areas(): Command {
  return new Command('areas').action(() => {
    process.stdout.write(\`\${areaIds.join('\\n')}\\n\`);
  });
}
`,
    ),
    insert(
      'src/cli/commands/index.ts',
      '  serve: {',
      `  areas: {
    description: 'list the areas',
    usage: '',
    load: async () => (await import('./areas.ts')).areas,
  },
`,
    ),
    insert('src/cli/commands/index.ts', '  serve: [', "  areas: ['npx sextant areas', 'npx sextant areas | sort'],\n"),
  ],
  'a form of a secret': [
    insert(
      'src/testing/secret-spellings.ts',
      '  hexadecimal,',
      "  'percent of every character': (text) => hexadecimal(text).replace(/../g, '%$&'),\n",
    ),
  ],
  'an open question or a reading': [
    insert('src/spec/readings.ts', "page: 'a page'", "xml: 'XML', "),
    insert(
      'reference-service/readings/responses.ts',
      'page: reading(',
      'xml: reading({ all: { respond: refusalsAre.pages } }), ',
    ),
  ],
} as const satisfies Record<string, Addition>;

/** Additions without the edits that the compiler asks for; the verdict lacks a field. */
export const lacking: Addition = [
  ...operation('dropPin', '/v1/stories/drop', { method: 'POST', effect: 'irreversible', request: 'storyDrop' }).filter(
    ({ file }) => !/handlers|samples|scenarios/.test(file),
  ),
  insert('src/spec/readings.ts', "page: 'a page'", "yaml: 'YAML', "),
  insert('src/client/verdict/verdicts.ts', '  skipped: {', verdict('hurried').replace(/ {4}health: .*\n/, '')),
];
