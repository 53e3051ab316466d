import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { keys, secretKeys } from '../environment/index.ts';
import { channelTypes, HistoryDatabase, loadSettings, settingKeys } from '../monitor/index.ts';
import {
  curlCommands,
  openapiDocument,
  openapiYaml,
  postmanCollection,
  postmanEnvironment,
} from '../testing/import/exports.ts';
import { fakeEnvironment, fakeResult } from '../testing/monitor/fakes.ts';
import { makeRecorder, recordRun } from '../testing/monitor/open-recorder.ts';
import { type Ended, ended, runInProcess } from '../testing/programs/run-in-process.ts';
import { ownFolder } from '../testing/servers/own-service.ts';
import { answers, fact } from '../testing/survey/learned.ts';
import { environmentText } from '../testing/test-environment.ts';
import { examples, listed } from './commands/index.ts';

const numbers = '0 -1 1e9 99999999999999999999 NaN 1/2 5s 1h 0s -5s 999d';
const names = 'null true undefined __proto__ constructor toString';
const paths = '.. . ../../etc/passwd / \\ ~ * %00 % %s%n $HOME $(id) `id` file:///etc/passwd';
const marks = '" \' ` \\" # = == : ; , ,, | <b> &amp; {{a}} {{{ }} {userId}';
const letters = 'é ✓ 😀 ﷺ \u0000 \u001b[2J \u001b]0;x\u0007 \u202e \ufeff \uffff \ufffd \ud800';
const addresses =
  'http:// http://a https://a.test:0/ http://[::1 http://127.0.0.1:99999/ http://a:b@c/ http://127.0.0.1:9/../.. ftp://a/ ' +
  'javascript:1 http://127.0.0.1:9/?a#b //127.0.0.1:9 /a=1 /= /~2=x /a={ @read=1s';
const spaced = ['http://a b/', 'GET /v1/{userId}', 'POST /', 'GET /v1/../{userId}', '* * * * * for 1h in UTC'];

/** Values that often break programs: empty, huge, other alphabets, control characters, names of built-in properties. */
const nasty = [
  ...['', ' ', '\r\n', '\n', '\t', 'a'.repeat(5_000), ...spaced],
  ...[numbers, names, paths, marks, letters, addresses].flatMap((text) => text.split(' ')),
];

const anyText = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...nasty) },
  { weight: 2, arbitrary: fc.array(fc.nat(0x10_ff_ff), { maxLength: 40 }).map((all) => String.fromCodePoint(...all)) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...nasty), { maxLength: 4 }).map((parts) => parts.join('')) },
);

const ALL = Number.POSITIVE_INFINITY;
const place = fc.double({ min: 0, max: 1, noNaN: true });

/** A change of a text: cut off the end, insert, overwrite or remove a part, or replace the whole text. */
const change = fc.oneof(
  place.map((at) => ({ at, removed: ALL, added: '' })),
  fc.tuple(place, anyText).map(([at, added]) => ({ at, removed: 0, added })),
  fc.tuple(place, anyText).map(([at, added]) => ({ at, removed: added.length, added })),
  fc.tuple(place, fc.nat(200)).map(([at, removed]) => ({ at, removed, added: '' })),
  anyText.map((added) => ({ at: 0, removed: ALL, added })),
);

function changed(text: string): fc.Arbitrary<string> {
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) =>
    changes.reduce((result, { at, removed, added }) => {
      const from = Math.floor(at * result.length);
      return result.slice(0, from) + added + result.slice(from + removed);
    }, text),
  );
}

/** A JSON value in which some parts are removed, or replaced by another type or a nasty text. */
function changedJson(value: unknown): fc.Arbitrary<string> {
  const places = placesOf(value);
  const instead = fc.oneof(anyText, fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined));
  return fc
    .array(fc.tuple(fc.constantFrom(...places), instead), { minLength: 1, maxLength: 3 })
    .map((changes) => JSON.stringify(changes.reduce((whole, [place, part]) => putIn(whole, place, part), value)) ?? '');
}

type Place = readonly (string | number)[];

function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, part]) => placesOf(part).map((place) => [key, ...place]))];
}

function putIn(value: unknown, [key, ...rest]: Place, part: unknown): unknown {
  if (key === undefined) return part;
  if (typeof value !== 'object' || value === null) return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  Object.assign(copy, { [key]: putIn((copy as Record<string, unknown>)[key], rest, part) });
  return copy;
}

/** An environment that loads, but at whose addresses nothing listens. */
const healthy = environmentText('http://127.0.0.1:9', { ALLOWED_EFFECTS: 'read' });

const key = fc.oneof(fc.constantFrom(...Object.keys(keys), ...Object.keys(secretKeys)), anyText);
const lines = fc.array(fc.tuple(key, anyText), { minLength: 1, maxLength: 3 });
const environmentFile = fc.oneof(
  lines.map((added) => healthy + added.map(([name, value]) => `${name}=${value}\n`).join('')),
  changed(healthy),
);
const channelKeys = Object.values(channelTypes).flatMap(({ keys: own }) => Object.keys(own));
const setting = fc.tuple(fc.constantFrom(...Object.keys(settingKeys), ...channelKeys, '__proto__', 'x'), anyText);
const settingsFile = fc.oneof(
  fc.array(setting, { maxLength: 4 }).map((pairs) => pairs.map(([name, value]) => `${name}=${value}\n`).join('')),
  changed('EVERY=60s\nPORT=9464\nLISTEN=127.0.0.1\nSLO=99.9\nWEBHOOK_URL=http://127.0.0.1:9/\n'),
);
const exportedJson = [
  postmanEnvironment({ friend_url: '{{host}}/a', host: 'http://127.0.0.1:9', 'mm-api-key': 'key-of-qa-1' }),
  postmanCollection(),
  openapiDocument(),
];
const exportedTexts = [
  ...exportedJson.map((each) => JSON.stringify(each)),
  openapiYaml(),
  ...Object.values(curlCommands),
];
const importedFile = fc.oneof(
  ...exportedJson.map(changedJson),
  ...exportedTexts.map(changed),
  changed('FRIEND_URL=http://127.0.0.1:9/\nAPI_KEY=key-of-qa-1\n'),
  fc.integer({ min: 1, max: 20_000 }).map((depth) => '{"values":'.concat('['.repeat(depth), ']'.repeat(depth), '}')),
);
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const observed = answers({ 200: { schema } });
const facts = { facts: [fact('repeat', 'accepted'), fact('unknown-story', 'refused with 404')] };

const factsFile = fc.oneof(changedJson(facts), changed(JSON.stringify(facts)));
const observedFile = fc.oneof(changedJson(observed), changed(JSON.stringify(observed)));

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
const journalFile = fc.oneof(
  changed(journal),
  fc
    .tuple(...journalLines.map((line) => fc.oneof(fc.constant(JSON.stringify(line)), changedJson(line))))
    .map((all) => `${all.join('\n')}\n`),
);

/** Options from the examples of all commands, and a few that no example uses. */
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

/**
 * For commands that would run for minutes or start a child process: arguments that name something that doesn't exist, so that the command
 * ends at once.
 */
const ends: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(['test', 'monitor', 'prober', 'survey', 'check'].map((word) => [word, ['--env', 'nobody']])),
  drill: ['--fault', 'nobody'],
  serve: ['--port', 'x'],
};

/** All commands, except those that write outside of the test's folder or need a running monitor. */
const words = [...Object.keys(listed), 'help'].filter((word) => !/^(new|init|report|maintenance)$/.test(word));

const commandLine = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...words),
      anyText.filter((text) => !/[\0\n]/.test(text)),
    ),
    fc.array(argument, { maxLength: 6 }),
  )
  .filter(([word, rest]) => !Object.hasOwn(ends, word) || !rest.includes('--env=my'))
  .map(([word, rest]) => [word, ...(Object.hasOwn(ends, word) ? (ends[word] ?? []) : []), ...rest]);

/** Inputs for which Sextant once did something other than print one clear error. Each run of this test tries them first. */
const seeds = {
  environment: [
    // Sextant once accepted these files without an error.
    '__proto__=x\n',
    'ACCESS_TOKEN="          "\n',
    'RUN_ID_HEADER=transfer-encoding\n',
    // Sextant's errors once showed the password before the @, or control characters that a terminal would obey.
    'FRIEND_URL=ftp://me:password@a.test/\n',
    'FRIEND_URL=https://a.test/<\u001b]0;x\u0007>\n',
    // Sextant once read UTF-16, which PowerShell writes, as an empty file.
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
    // For each of these journals, Sextant once printed a stack, or no message at all.
    '{"owner":"nobody","environment":"my","run":"r"}\n{"entry":{"id":"1"}}\n',
    '{"owner":"nobody","environment":"my","run":"r"}\n\u0000\u0000\n{}\n',
    '{"owner":{"pid":"1"},"environment":"my","run":"r"}\n',
  ],
  // Sextant's errors once repeated these control characters, which a terminal would obey.
  commandLine: [['\u0001'], ['check', '--env', 'nobody', '\u001b[2J']],
  history: [],
} as const satisfies Record<string, readonly unknown[]>;

/** Number of inputs of each kind, from a random seed: `SEXTANT_FUZZ=5000`. By default, 250 inputs from a fixed seed. */
const more = Number(process.env.SEXTANT_FUZZ ?? 0);

// Every command adds listeners to the streams of this process. Without this line, Node would warn that there are too many.
process.stdout.setMaxListeners(0);

const folder = ownFolder();
const at = (...parts: string[]) => join(folder, ...parts);
Object.assign(process.env, {
  SEXTANT_ENVIRONMENTS: at('environments'),
  SEXTANT_STATE: at('state'),
  SEXTANT_OUTPUT: at('output'),
  SEXTANT_OBSERVED: at('observed'),
});

/** The content of every file in the folder of this test, at any depth, by its path, as of the last change or command. */
let files: Readonly<Record<string, string>> = {};

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  files = { ...files, [path]: Buffer.from(content).toString('latin1') };
}

function reset(): void {
  for (const name of Object.keys(files)) unlinkSync(name);
  files = {};
  put(at('environments', 'my.env'), healthy);
}

function snapshot(): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'latin1')]));
}

/**
 * Asserts what must hold for any input: the exit code is a documented one, there is at most one error and no stack, and only files whose
 * names match `mayWrite` have changed.
 */
async function holds(run: () => Promise<Ended>, mayWrite: RegExp = /^$/): Promise<void> {
  const before = files;
  const { code, out, err } = await run();
  const said = `exit ${code}\n${out.slice(0, 2_000)}\n${err.slice(0, 5_000)}`;
  assert.ok([0, 1, 2, 3].includes(code), said);
  assert.doesNotMatch(`${out}${err}`, /^ {4}at |bug in Sextant/m, said);
  // Counts the errors. The help, which appears for an unknown command, counts as one error. The problems of several environments and files
  // together also count as one, although empty lines separate them.
  const shown = err.startsWith('Usage: ') ? ['the help'] : err.replaceAll('\n\n', '\n  ').split('\n');
  const errors = shown.filter((line) => line !== '' && !line.startsWith(' ') && !line.startsWith('('));
  assert.ok(errors.length <= (code === 0 ? 0 : 1), `${errors.length} errors\n${said}`);
  // An export of the history repeats the stored texts exactly, so it may contain control characters. No other output may contain them.
  if (!mayWrite.test('history.sqlite-wal'))
    assert.doesNotMatch(`${out}${err}`.replaceAll('\n', ''), /\p{Cc}/u, `control characters\n${said}`);
  assert.ok(err.length < 30_000, `${err.length} characters`);
  const left = snapshot();
  files = left;
  const names = [...new Set([...Object.keys(before), ...Object.keys(left)])].filter((name) => !mayWrite.test(name));
  for (const name of names) assert.equal(left[name], before[name], `${name} was changed\n${said}`);
}

/** Calls `check` with the inputs `kept`, which once failed, and with generated inputs. */
function fuzz<T>(name: string, input: fc.Arbitrary<T>, kept: readonly unknown[], check: (value: T) => Promise<void>) {
  test(`${name}: whatever is given, one clear error at most`, more > 0 ? { timeout: 3_600_000 } : {}, async () => {
    const property = fc.asyncProperty(input, async (value) => {
      reset();
      await check(value);
    });
    const examples = kept.map((value): [T] => [value as T]);
    const size = more > 0 ? { numRuns: more } : { numRuns: 250 + examples.length, seed: 13 };
    await fc.assert(property, { ...size, examples });
  });
}

/** Fuzzes a file at `path`; `run` is a command that reads it. */
function fuzzFile(
  name: string,
  path: string,
  texts: fc.Arbitrary<string>,
  kept: readonly string[],
  run: () => Promise<Ended>,
  mayWrite?: RegExp,
) {
  fuzz(name, texts, kept, async (text) => {
    put(at(path), text);
    await holds(run, mayWrite);
  });
}

const openapi = () => runInProcess(['openapi', '--env', 'my']);
const list = () => runInProcess(['environments', 'list']);
const imports = () => runInProcess(['environments', 'import', at('work', 'x.json'), '--name', 'new']);
const undo = () => runInProcess(['undo', '--env', 'my']);
const settings = ended(() => loadSettings({ file: at('monitor.env'), isNamed: true, flags: {}, process: {} }));
const imported = /environments\/new\.(secret\.)?env$/;
// Files that `undo` may change: it deletes a journal if all changes in it are undone or were never made, and creates lock files.
const undone = /journal\/my\/a\.jsonl$|state\/locks\//;
const { environment } = seeds;
fuzzFile('environment files', 'environments/my.env', environmentFile, environment, openapi);
fuzzFile('secret files', 'environments/my.secret.env', environmentFile, environment, list);
fuzzFile('settings of the monitor', 'monitor.env', settingsFile, seeds.settings, settings);
fuzzFile('files of other tools', 'work/x.json', importedFile, seeds.imported, imports, imported);
fuzzFile('observed responses', 'observed/my/love.json', observedFile, seeds.observed, openapi);
fuzzFile('journals', 'state/journal/my/a.jsonl', journalFile, seeds.journal, undo, undone);

fuzz('facts', factsFile, seeds.facts, async (text) => {
  put(at('a.json'), JSON.stringify(facts));
  put(at('b.json'), text);
  for (const pair of [
    ['a.json', 'b.json'],
    ['b.json', 'a.json'],
  ])
    for (const format of ['text', 'markdown'])
      await holds(() => runInProcess(['compare', ...pair.map((name) => at(name)), '--format', format]));
});

function newHistory(): Buffer {
  const path = join(ownFolder(), 'history.sqlite');
  const environment = fakeEnvironment('staging');
  const rule = { downAfter: 1, upAfter: 1, remindAfterMs: 1, gatherMs: 0 };
  const recorder = makeRecorder(path, [environment], { rule });
  recorder.enterAll([{ environment: 'staging', title: 'block', area: 'friends', effect: 'read' }], 0);
  for (let n = 0; n < 40; n++)
    recordRun(
      recorder,
      environment,
      { first: fakeResult(n % 3 === 0 ? 'failed' : 'passed', n * 60_000) },
      n * 60_000,
      n,
    );
  recorder.close();
  return readFileSync(path);
}
const whole = newHistory();
const damage = fc.oneof(
  fc.nat(whole.length).map((length) => whole.subarray(0, length)),
  fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 }).map((bytes) => {
    const copy = Buffer.from(whole);
    for (const [index, byte] of bytes) copy[index] = byte;
    return copy;
  }),
);
fuzz('histories', damage, seeds.history, async (bytes) => {
  put(at('data', 'history.sqlite'), bytes);
  const sidecars = /history\.sqlite-(wal|shm)$/;
  await holds(() => runInProcess(['history', 'export', '--data', at('data'), '--what', 'failures']), sidecars);
  // A program that opens a history for writing may repair the file, so the test allows this file to change.
  await holds(
    ended(() => {
      const db = new HistoryDatabase(at('data', 'history.sqlite'));
      db.close();
    }),
    /history\.sqlite/,
  );
});

fuzz('command lines', commandLine, seeds.commandLine, async (args) => {
  await holds(() => runInProcess(args), /environments\/[\w-]+\.(secret\.)?env$/);
});
