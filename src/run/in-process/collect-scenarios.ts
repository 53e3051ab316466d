import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { specFolders } from '../../environment/project-root.ts';
import { didYouMean } from '../../environment/sentence-parts.ts';
import { Deadline } from '../../http/index.ts';
import { lineText, SpecMistake } from '../../verdict/index.ts';
import { loadMistake } from './load-mistake.ts';
import './own-name.ts';
import {
  collectScenarios,
  type Declared,
  declarationMistakes,
  endsUnjudged,
  foreignImports,
  guardProcess,
  namesTaken,
  SpecRun,
  sameTitle,
  watchStrays,
} from '../../scenario/index.ts';

/** A scenario from a spec file, ready to run in-process. */
export interface Scenario extends Declared {
  readonly file: string;
  /** Why the scenario can't be played. If a file can't be loaded, a single scenario with this reason represents the file. */
  readonly mistake?: SpecMistake;
  /** True if Playwright Test can't load the scenario's file. */
  readonly keepsFileOut?: true;
}

/** Whether a scenario only checks the known facts of an environment: its spec is in the folder `facts`. */
export function holdsFacts({ file }: Scenario): boolean {
  return basename(dirname(file)) === 'facts';
}

/** Maximum time for loading a spec file, in ms, because its top level may await something. */
const LONGEST_LOADING_MS = 30_000;

const collected = new Map<string, Promise<Scenario[]>>();
let collecting: Promise<unknown> = Promise.resolve();

/** Folders below `tests/` whose specs don't belong to every run: some commands add one of these folders by name. */
const namedFolders = ['auth', 'facts', 'robustness', 'stateful'];

/** The folders whose specs belong to every run: `scenarios`, and the team's other folders in the given `tests` folders. */
export function ownFolders(all: readonly string[] = specFolders): string[] {
  const there = all.filter((tests) => existsSync(tests));
  const entries = there.flatMap((tests) => readdirSync(tests, { withFileTypes: true }));
  const own = entries.filter((entry) => entry.isDirectory() && !namedFolders.includes(entry.name));
  return ['scenarios', ...new Set(own.map(({ name }) => name).filter((name) => name !== 'scenarios'))];
}

/**
 * The scenarios of one folder in `tests/`, or, without a name, of all folders that belong to every run, in file order. The list is cached,
 * because Node loads a module only once.
 */
export function scenarios(folder?: string): Promise<Scenario[]> {
  const key = folder ?? '';
  const folders = folder === undefined ? ownFolders() : [folder];
  // Folders load one after the other, because a loading file declares its scenarios to the only active collector.
  const found =
    collected.get(key) ??
    collecting.then(() => collect(...folders.flatMap((name) => specFolders.map((tests) => join(tests, name)))));
  collected.set(key, found);
  collecting = found.catch(() => {});
  return found;
}

/** The scenarios of every spec folder, including the generated ones. */
export async function allScenarios(): Promise<Scenario[]> {
  const found: Scenario[] = [];
  for (const name of [...namedFolders, undefined]) found.push(...(await scenarios(name)));
  return found;
}

/** The scenarios of the spec files in these folders. If a file can't be loaded, one scenario that can't be played represents the file. */
export async function collect(...folders: readonly string[]): Promise<Scenario[]> {
  const found: Scenario[] = [];
  for (const folder of folders.filter((each) => existsSync(each))) {
    const files = readdirSync(folder).filter((name) => /\.spec\.[jt]s$/.test(name));
    for (const name of files.sort()) found.push(...(await scenariosOf(join(folder, name))));
  }
  return withoutNamesakes(found);
}

async function scenariosOf(file: string): Promise<Scenario[]> {
  const text = readFileSync(file, 'utf8');
  const foreign = SpecMistake.all(foreignImports(file, text));
  if (foreign) return [leftOut(file, foreign)];
  const found: Scenario[] = [];
  collectScenarios((declared) => {
    const unknown = unknownNames(declared);
    const { title, details, body, line } = declared;
    const mistakes = declarationMistakes(title, [details?.tag ?? []].flat(), body, line);
    const mistake = SpecMistake.all([...mistakes, ...unknown]);
    found.push(asMistaken({ ...declared, file, ...(unknown.length > 0 ? { keepsFileOut: true } : {}) }, mistake));
  });
  const mistake = await loaded(file);
  return mistake ? [leftOut(file, mistake)] : found;
}

/** Loads a spec file. If it can't be loaded, returns the mistake in it. */
async function loaded(file: string): Promise<SpecMistake | undefined> {
  guard();
  const loading = new SpecRun({ file, line: 1 });
  const limit = new Deadline(LONGEST_LOADING_MS);
  const late = once(limit.signal, 'abort').then(() => {
    throw new SpecMistake(
      `the file does not load: its top level waits for something that never happens; remove that await`,
    );
  });
  late.catch(() => {});
  try {
    await loading.run(() => Promise.race([import(pathToFileURL(file).href), loading.broken, late]));
    const [stray] = await loading.errors();
    return stray === undefined ? undefined : loadMistake(stray, file);
  } catch (error) {
    return loadMistake(error, file);
  } finally {
    limit.end();
    loading.end();
  }
}

let isWatched = false;
/** Must run before any code of a spec runs in this process. */
function guard(): void {
  guardProcess();
  if (!isWatched) watchStrays(endsUnjudged);
  isWatched = true;
}

/**
 * Renames a scenario whose title another scenario has already, and marks it as a mistake: reports and the history identify scenarios by
 * their titles.
 */
function withoutNamesakes(all: readonly Scenario[]): Scenario[] {
  const first = new Map<string, Scenario>();
  return all.map((scenario) => {
    const { title, line } = scenario;
    const other = first.get(title);
    if (!other) first.set(title, scenario);
    if (!other?.line || !line) return scenario;
    const mistakes = [sameTitle(title, lineText(other.line), line), ...(scenario.mistake ? [scenario.mistake] : [])];
    const renamed = { ...scenario, title: `${title} (${lineText(line)})` };
    return asMistaken(
      { ...renamed, ...(other.file === scenario.file ? { keepsFileOut: true } : {}) },
      SpecMistake.all(mistakes),
    );
  });
}

function leftOut(file: string, mistake: SpecMistake): Scenario {
  const title = join(basename(dirname(file)), basename(file)).replaceAll('\\', '/');
  return asMistaken(
    { title, file, details: { tag: [] }, body: async () => {}, fixtures: {}, keepsFileOut: true },
    mistake,
  );
}

/** Adds a mistake to a scenario. Replaces the spec's tags, which may be invalid, because other code reads tags without checking them. */
function asMistaken(scenario: Scenario, mistake: SpecMistake | undefined): Scenario {
  if (!mistake) return scenario;
  return { ...scenario, details: { tag: ['@all', '@read'] }, mistake };
}

/** Returns a mistake for each fixture that the scenario's body names, but that doesn't exist. */
function unknownNames({ body, fixtures, line }: Declared): SpecMistake[] {
  const names = Object.keys(fixtures);
  const unknown = scenarioParameters(body).filter((name) => !names.includes(name));
  return unknown.map((name) => {
    const problem = `there is no fixture \`${name}\`${didYouMean(name, names)}`;
    return new SpecMistake(`${problem}; correct the name to one of ${names.join(', ')}`, line);
  });
}

/** The names that each body takes, kept because a run asks for them several times. A spec may declare something that is no function. */
const parameters = new Map<unknown, readonly string[]>();

/** The names of the fixtures that a scenario's body takes. */
export function scenarioParameters(body: Declared['body']): readonly string[] {
  const names = parameters.get(body) ?? namesTaken(body) ?? [];
  parameters.set(body, names);
  return names;
}
