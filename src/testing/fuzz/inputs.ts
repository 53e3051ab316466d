import fc from 'fast-check';
import { examples, listed } from '../../cli/commands/index.ts';
import { keys, secretKeys } from '../../config/index.ts';
import { channelTypes, settingKeys } from '../../monitor/index.ts';
import {
  brunoCollection,
  curlCommands,
  openapiDocument,
  openapiYaml,
  postmanCollection,
  postmanEnvironment,
} from '../import/exports.ts';
import { answers, fact } from '../survey/learned.ts';
import { environmentText } from '../test-environment.ts';
import { anyText, changed, changedJson } from './texts.ts';

/** An environment that loads, and whose addresses are closed. */
export const healthy = environmentText('http://127.0.0.1:9', { ALLOWED_EFFECTS: 'read' });

const key = fc.oneof(fc.constantFrom(...Object.keys(keys), ...Object.keys(secretKeys)), anyText);
const lines = fc.array(fc.tuple(key, anyText), { minLength: 1, maxLength: 3 });
export const environmentFile = fc.oneof(
  lines.map((added) => healthy + added.map(([name, value]) => `${name}=${value}\n`).join('')),
  changed(healthy),
);
const channelKeys = Object.values(channelTypes).flatMap(({ keys: own }) => Object.keys(own));
const setting = fc.tuple(fc.constantFrom(...Object.keys(settingKeys), ...channelKeys, '__proto__', 'x'), anyText);
export const settingsFile = fc.oneof(
  fc.array(setting, { maxLength: 4 }).map((pairs) => pairs.map(([name, value]) => `${name}=${value}\n`).join('')),
  changed('EVERY=60s\nPORT=9464\nLISTEN=127.0.0.1\nSLO=99.9\nWEBHOOK_URL=http://127.0.0.1:9/\n'),
);
const brunoFiles = brunoCollection();
const bru = `${brunoFiles['environments/qa.bru']}\n${brunoFiles['Friends/block.bru']}`;
const exportedJson = [
  postmanEnvironment({ friend_url: '{{host}}/a', host: 'http://127.0.0.1:9', 'mm-api-key': 'key-of-qa-1' }),
  postmanCollection(),
  openapiDocument(),
];
const exportedTexts = [
  ...exportedJson.map((each) => JSON.stringify(each)),
  openapiYaml(),
  bru,
  ...Object.values(curlCommands),
];
export const importedFile = fc.oneof(
  ...exportedJson.map(changedJson),
  ...exportedTexts.map(changed),
  changed('FRIEND_URL=http://127.0.0.1:9/\nAPI_KEY=key-of-qa-1\n'),
  fc.integer({ min: 1, max: 20_000 }).map((depth) => '{"values":'.concat('['.repeat(depth), ']'.repeat(depth), '}')),
);
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const observed = answers({ 200: { schema } });
export const facts = { facts: [fact('repeat', 'accepted'), fact('unknown-story', 'refused with 404')] };

export const factsFile = fc.oneof(changedJson(facts), changed(JSON.stringify(facts)));
export const observedFile = fc.oneof(changedJson(observed), changed(JSON.stringify(observed)));

const entry = {
  id: '1',
  change: 'block',
  undo: 'unblock',
  args: { friendId: 'b' },
  as: 'caller',
  userId: 'user-ada',
  base: 'http://127.0.0.1:1/',
  at: '',
};
const journalLines = [{ owner: 'nobody', environment: 'my', run: 'r' }, { entry }, { struck: '2', because: 'x' }];
const journal = journalLines.map((line) => `${JSON.stringify(line)}\n`).join('');
export const journalFile = fc.oneof(
  changed(journal),
  fc
    .tuple(...journalLines.map((line) => fc.oneof(fc.constant(JSON.stringify(line)), changedJson(line))))
    .map((all) => `${all.join('\n')}\n`),
);

/** Those of the examples, and some that are in none. */
const options = [
  ...new Set(
    Object.values(examples).flatMap(([a, b]) => [...`${a} ${b}`.matchAll(/ (--[\w-]+)/g)].map(([, name = '']) => name)),
  ),
  ...['--env=my', '--yes', '--help', '--version', '--', '-x', '--forget'],
];
const harmless = ['list', 'export', 'import', 'csv', 'runs', 'my', 'nobody', '-5', 'NaN'];
const argument = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...options) },
  { weight: 1, arbitrary: fc.constantFrom(...harmless) },
  { weight: 2, arbitrary: anyText.filter((text) => !/[\0\n*?]/.test(text)) },
);

/** What keeps a command from running for minutes, or from starting a child. */
const ends: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(['test', 'monitor', 'prober', 'survey', 'check'].map((word) => [word, ['--env', 'nobody']])),
  drill: ['--fault', 'nobody'],
  serve: ['--port', 'x'],
};

/** Without those that write beside what a test made for them, or ask an address. */
const words = [...Object.keys(listed), 'help'].filter((word) => !/^(new|init|report|maintenance)$/.test(word));

export const commandLine = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...words),
      anyText.filter((text) => !/[\0\n]/.test(text)),
    ),
    fc.array(argument, { maxLength: 6 }),
  )
  .filter(([word, rest]) => !Object.hasOwn(ends, word) || !rest.includes('--env=my'))
  .map(([word, rest]) => [word, ...(Object.hasOwn(ends, word) ? (ends[word] ?? []) : []), ...rest]);

/** Inputs that once ended in something else than one clear error; they are tried first, at every run. */
export const seeds = {
  environment: [
    // Accepted without a word.
    '__proto__=x\n',
    'ACCESS_TOKEN="          "\n',
    'RUN_ID_HEADER=transfer-encoding\n',
    // Shown with what stands before the @, or as a terminal would obey it.
    'FRIEND_URL=ftp://me:password@a.test/\n',
    'FRIEND_URL=https://a.test/<\u001b]0;x\u0007>\n',
    // UTF-16, as PowerShell writes it, and no text at all: nothing was read.
    '\ufffd\ufffdF\u0000R\u0000',
  ],
  settings: ['constructor=x\n', '__proto__=x\n', 'WEBHOOK_URL=https://me:password@127.0.0.1:9/\n'],
  imported: ['{"values":[1,null,{"key":"user_id","value":{}}]}', '{"info":null,"values":[]}', 'user_id=\'"`#\n'],
  facts: ['\n.', '{"facts":[null]}', '{"facts":[{"question":"repeat\\n","operation":"love\u0007"}]}'],
  observed: [
    '{"operation":"love","answers":{"200":{"contentTypes":[],"schema":{"properties":{"a":null}}}}}',
    '[]',
    'null',
  ],
  journal: [
    // Each ended in a stack, or was passed over in silence.
    '{"owner":"nobody","environment":"my","run":"r"}\n{"entry":{"id":"1"}}\n',
    '{"owner":"nobody","environment":"my","run":"r"}\n\u0000\u0000\n{}\n',
    '{"owner":{"pid":"1"},"environment":"my","run":"r"}\n',
  ],
  // A terminal would have obeyed what was typed.
  commandLine: [['\u0001'], ['check', '--env', 'nobody', '\u001b[2J']],
  history: [],
} as const satisfies Record<string, readonly unknown[]>;
