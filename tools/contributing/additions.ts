import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, entryIn, importIn, newFile } from '../../src/cli/skeletons/insert.ts';
import { projectRoot } from '../../src/config/project-root.ts';
import { insert } from './copy.ts';

/** Where faults of responses are. */
const responses = ['reference-service/faults/requests-and-responses.ts', "    'unblock-done-but-401'"] as const;

/** The edits of one addition: one list per numbered step of its section in CONTRIBUTING. */
export type Addition = readonly (readonly Change[])[];

const operation: Addition = [
  [
    newFile(
      'schemas/story-pin.ts',
      `export const storyPin = {
  $id: 'story-pin',
  title: 'Story pin',
  type: 'object',
  properties: { storyId: { type: 'string', minLength: 1 }, place: { type: 'integer' } },
  required: ['storyId', 'place'],
  additionalProperties: false,
} as const;
`,
    ),
    importIn('schemas/requests.ts', 'storyPin', './story-pin.ts'),
    entryIn('schemas/requests.ts', 'export const requestSchemas = {', '  storyPin,\n'),
    insert(
      'src/spec/operations.ts',
      '  block: {',
      `  pinStory: {
    row: 15,
    title: 'Pin story',
    area: 'stories',
    method: 'POST',
    path: '/v1/stories/pin',
    headerSet: 'user',
    request: 'storyPin',
    effect: 'irreversible',
  },
`,
    ),
  ],
  [
    entryIn(
      'reference-service/handlers/index.ts',
      'export const served: Served = {',
      "  pinStory: { handle: ({ args }) => ok(args), statuses: [200], body: '{storyId: string, place: integer}' },\n",
    ),
  ],
  [
    insert(
      'src/spec/samples.ts',
      '  storyReport: async',
      '  storyPin: async ({ story }) => ({ storyId: await story(), place: 1 }),\n',
    ),
  ],
  [
    newFile(
      'tests/scenarios/pin-story.spec.ts',
      `import { scenario } from '../../fixtures/index.ts';

scenario('pin a story', { tag: ['@stories', '@irreversible'] }, async ({ stories, story }) => {
  await stories.pinStory({ storyId: story.id, place: 1 }).succeeds();
});
`,
    ),
  ],
  [insert(...responses, "    'pinStory-done-but-503': { respond: onSuccess(() => ({ status: 503 })) },\n")],
];

const area: Addition = [
  [
    insert(
      'src/spec/areas.ts',
      '  friends: {',
      "  photos: { title: 'Photos', addressKey: 'PHOTO_URL', purpose: 'albums of a user' },\n",
    ),
  ],
  [insert('environments/local.env', 'FRIEND_URL=', 'PHOTO_URL=http://127.0.0.1:4017\n')],
];

const example = readFileSync(join(projectRoot, 'environments/example.env'), 'utf8');

const environment: Addition = [
  // As the example is once the area above is added.
  [newFile('environments/qa.env', `PHOTO_URL=https://photos.example\n${example}`)],
];

const environmentKey: Addition = [
  [insert('src/config/keys/keys.ts', '  REPORT_LANGUAGE:', "  ALBUM_ID: key(text, 'an album that may be shown'),\n")],
  [insert('src/config/environment.ts', '        storyId:', '        albumId: values.ALBUM_ID,\n')],
];

const alertChannel: Addition = [
  [
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
  ],
  [
    importIn('src/monitor/alerting/channels/registry.ts', 'pager', './pager.ts'),
    entryIn('src/monitor/alerting/channels/registry.ts', 'export const channelTypes = {', '  pager,\n'),
  ],
];

const verdict: Addition = [
  [
    insert(
      'src/client/verdict/verdicts.ts',
      '  skipped: {',
      `  postponed: {
    meaning: 'the service asked to come back later',
    severity: 2.5,
    health: 'unknown',
    fellShort: 'nothing',
    ran: true,
    colour: 'cyan',
    category: 'Postponed: the service asked to come back later',
  },
`,
    ),
  ],
];

const surveyQuestion: Addition = [
  [
    newFile(
      'src/survey/experiments/request-id.ts',
      `import { header } from '../../client/index.ts';
import { oneQuestion } from './experiment.ts';

/** The header in which a response names its request. */
export const requestId = oneQuestion('request-id', ['evaluate'], async (question) => {
  const control = await question.control();
  const isNamed = control.response !== undefined && header(control.response, 'x-request-id') !== undefined;
  return { answer: isNamed ? 'x-request-id' : 'none', seen: [control] };
});
`,
    ),
    insert('src/survey/experiments/index.ts', '  errorShape,\n  repeat', '  requestId,\n'),
    importIn('src/survey/experiments/index.ts', 'requestId', './request-id.ts'),
  ],
  [
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
];

const fault: Addition = [
  [insert(...responses, "    'love-done-but-502': { respond: onSuccess(() => ({ status: 502 })) },\n")],
];

const command: Addition = [
  [
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
  ],
  [
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
];

const secretForm: Addition = [
  [
    insert(
      'src/testing/echo/secret-forms.ts',
      "  { name: 'HTML, hexadecimal',",
      `  { name: 'HTML, decimal with three zeros', encode: each((code) => \`&#000\${code};\`) },\n`,
    ),
  ],
];

/** Formatted as people do in a hurry. */
const openReading: Addition = [
  [insert('src/spec/readings.ts', "page: 'a page'", "xml: 'XML', ")],
  [
    insert(
      'reference-service/readings/responses.ts',
      'page: reading(',
      'xml: reading({ all: { respond: refusalsAre.pages } }), ',
    ),
  ],
];

/** By heading in CONTRIBUTING, without `Add `. */
export const additions = {
  'an operation': operation,
  'an area': area,
  'an environment': environment,
  'an environment key': environmentKey,
  'an alert channel': alertChannel,
  'a verdict': verdict,
  'a survey question': surveyQuestion,
  'an open question or a reading': openReading,
  'a fault': fault,
  'a command': command,
  'a form of a secret': secretForm,
} as const satisfies Record<string, Addition>;
