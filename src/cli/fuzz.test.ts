import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { HistoryDatabase, loadSettings } from '../monitor/index.ts';
import {
  commandLine,
  environmentFile,
  facts,
  factsFile,
  healthy,
  importedFile,
  journalFile,
  observedFile,
  seeds,
  settingsFile,
} from '../testing/fuzz/inputs.ts';
import { fakeEnvironment, fakeResult } from '../testing/monitor/fakes.ts';
import { makeRecorder, recordRun } from '../testing/monitor/open-recorder.ts';
import { type Ended, ended, runInProcess } from '../testing/programs/run-in-process.ts';
import { ownFolder } from '../testing/servers/own-service.ts';

/** `SEXTANT_FUZZ=5000` tries so many of each, from a random seed; else few, always the same. */
const more = Number(process.env.SEXTANT_FUZZ ?? 0);

// Each run of a command adds its listeners to the streams of this one process.
process.stdout.setMaxListeners(0);

const folder = ownFolder();
const at = (...parts: string[]) => join(folder, ...parts);
Object.assign(process.env, {
  SEXTANT_ENVIRONMENTS: at('environments'),
  SEXTANT_STATE: at('state'),
  SEXTANT_OUTPUT: at('output'),
  SEXTANT_OBSERVED: at('observed'),
});

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function reset(): void {
  for (const name of filesThere()) unlinkSync(name);
  put(at('environments', 'my.env'), healthy);
}

/** Every file below the folder. */
function filesThere(): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

const snapshot = () => Object.fromEntries(filesThere().map((name) => [name, readFileSync(name, 'latin1')]));

/** Invariants for any input: a documented exit code, at most one error, no stack, no changed file. */
async function holds(run: () => Promise<Ended>, mayWrite: RegExp = /^$/): Promise<void> {
  const before = snapshot();
  const { code, out, err } = await run();
  const said = `exit ${code}\n${out.slice(0, 2_000)}\n${err.slice(0, 5_000)}`;
  assert.ok([0, 1, 2, 3].includes(code), said);
  assert.doesNotMatch(`${out}${err}`, /^ {4}at |bug in Sextant/m, said);
  // Asked for nothing that there is, it shows the help; the problems of several environments and files are one error in parts.
  const shown = err.startsWith('Usage: ') ? ['the help'] : err.replaceAll('\n\n', '\n  ').split('\n');
  const errors = shown.filter((line) => line !== '' && !line.startsWith(' ') && !line.startsWith('('));
  assert.ok(errors.length <= (code === 0 ? 0 : 1), `${errors.length} errors\n${said}`);
  // A table for other programs is as it was written down.
  if (!mayWrite.test('history.sqlite-wal'))
    assert.doesNotMatch(`${out}${err}`.replaceAll('\n', ''), /\p{Cc}/u, `control characters\n${said}`);
  assert.ok(err.length < 30_000, `${err.length} characters`);
  const left = snapshot();
  const names = [...new Set([...Object.keys(before), ...Object.keys(left)])].filter((name) => !mayWrite.test(name));
  for (const name of names) assert.equal(left[name], before[name], `${name} was changed\n${said}`);
}

/** Tries `check` on kept seeds and on generated inputs. */
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

/** The same for a file at `path`, with a run that reads it. */
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
// A change that is undone or was never made is removed with its journal.
const undone = /journal\/my\/a\.jsonl$/;
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
  const path = at('new', 'history.sqlite');
  mkdirSync(dirname(path), { recursive: true });
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
  // Opening it to go on may repair it; what matters is how it ends.
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
