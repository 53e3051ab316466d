/*
 * A made-up service of three operations: users keep notes, drop them, and list those that they keep. This is all that somebody
 * writes who has another service (docs/another-api.md); everything else of the project stays as it is.
 */

/** Tables of the specification, by the file and the line that begins them. */
export const tables: readonly (readonly [file: string, begins: string, entries: string])[] = [
  [
    'src/spec/areas.ts',
    'export const areas = {',
    "  notes: { title: 'Notes', addressKey: 'NOTES_URL', purpose: 'keep, drop and list notes' },",
  ],
  [
    'src/spec/operations.ts',
    'export const operations = {',
    `  keep: {
    title: 'Keep note',
    area: 'notes',
    method: 'POST',
    path: '/v1/notes/keep',
    headerSet: 'user',
    request: 'note',
    effect: 'reversible',
    undo: 'drop',
    shownBy: 'listNotes',
  },
  drop: {
    title: 'Drop note',
    area: 'notes',
    method: 'POST',
    path: '/v1/notes/drop',
    headerSet: 'user',
    request: 'note',
    effect: 'reversible',
  },
  listNotes: {
    title: 'List notes',
    area: 'notes',
    method: 'GET',
    path: '/v1/notes/{n1}/{n2}',
    headerSet: 'user',
    effect: 'read',
    isPaged: true,
  },`,
  ],
  ['src/spec/arguments.ts', 'export const namedArguments = {', "  noteId: { key: 'NOTE_ID', noun: 'the note' },"],
  ['schemas/requests.ts', 'export const requestSchemas = {', '  note,'],
];

export const edits: readonly (readonly [file: string, from: RegExp, to: string])[] = [
  ['src/spec/known-requests.ts', /area: 'profile'/, "area: 'notes'"],
  // No operation here answers the questions that the engine can find out by itself.
  ['src/spec/readings.ts', /^ {4}by: '.*\n/gm, ''],
  [
    'environments/local.env',
    /^FRIEND_URL=(.*\n)(?:(?!PROVISION)[A-Z]+_URL=.*\n)+/m,
    'NOTES_URL=http://127.0.0.1:4010\n',
  ],
  ['schemas/requests.ts', /^import \{[^}]*\} from .*\n/gm, ''],
  ['schemas/requests.ts', /^/, "import { note } from './note.ts';\n"],
];

export const files: Readonly<Record<string, string>> = {
  'src/spec/samples.ts': `import type { ExportedBodies, HarmlessArguments, Samples, Trials } from './sample-source.ts';

export const bodies: Samples<'note'> = { note: ({ data }) => ({ noteId: data.id() }) };
export const paths: Samples<'listNotes'> = { listNotes: ({ segments }) => segments };
export const harmless: HarmlessArguments = {};
export const trials: Trials = { listNotes: { args: (_, { segments }) => segments, keys: ['BLOCK_LIST_SEGMENTS'] } };
export const exportedBodies: ExportedBodies = { note: () => ({ noteId: 'sextant-export' }) };
`,
  'src/spec/example-calls.ts': `export const exampleCalls = {
  read: 'notes.listNotes()',
  change: 'notes.keep({ noteId })',
  undo: 'notes.drop({ noteId })',
  misspelt: 'notes.kep(…)',
  wrongField: 'notes.keep({ id: noteId })',
  emptyParameter: "notes.listNotes({ n1: '', n2: '' })",
  known: 'notes.readProfile(…)',
} as const;
`,
  'schemas/note.ts': `export const note = {
  $id: 'note',
  title: 'Note',
  type: 'object',
  properties: { noteId: { type: 'string', minLength: 1 } },
  required: ['noteId'],
  additionalProperties: false,
} as const;
`,
  'reference-service/handlers/index.ts': `import { type Handler, ok, type Served } from '../handler-request.ts';

const kept = new Set<string>();

const set = (isKept: boolean): Handler<{ readonly noteId: string }> => ({ userId, args: { noteId } }) => {
  if (isKept) kept.add(\`\${userId} \${noteId}\`);
  else kept.delete(\`\${userId} \${noteId}\`);
  return ok({ noteId });
};

const list: Handler<unknown> = ({ userId }) =>
  ok([...kept].filter((note) => note.startsWith(\`\${userId} \`)).map((note) => ({ noteId: note.split(' ')[1] })));

export const served: Served = {
  keep: { handle: set(true), statuses: [200], body: '{noteId: string}' },
  drop: { handle: set(false), statuses: [200], body: '{noteId: string}' },
  listNotes: { handle: list, statuses: [200], body: '{noteId: string}[]' },
};

export const readProfile: Handler<{ readonly userId: string }> = ({ args: { userId } }) => ok({ userId });
`,
  'tests/scenarios/keep-list-drop.spec.ts': `import { expect, scenario } from '../../fixtures/index.ts';

scenario('keep a note, list, then drop it', { tag: ['@notes', '@reversible'] }, async ({ notes, data, defer }) => {
  const noteId = data.id();
  await notes.keep({ noteId }).succeeds();
  defer(() => notes.drop({ noteId }).settles());
  await notes.listNotes().eventually((list) => expect(list, 'documented: the list mentions a note just kept').toMention(noteId));
  await notes.drop({ noteId }).succeeds();
  await notes.listNotes().eventually((list) => expect(list, 'documented: a dropped note is gone').not.toMention(noteId));
});
`,
  'tests/scenarios/any-order.spec.ts': `import { scenario, setModel } from '../../fixtures/index.ts';

scenario('any order of keeping and dropping agrees with a set', { tag: ['@notes', '@reversible'] }, async ({ modelTest }) => {
  await modelTest(setModel('keep'));
});
`,
};
