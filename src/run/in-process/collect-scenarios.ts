import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { specFolders } from '../../environment/project-root.ts';
import { isSpecFile, lineText, type SpecLine, SpecMistake, specLineOf } from '../../verdict/index.ts';
import './own-name.ts';
import {
  collectScenarios,
  type Declared,
  declarationMistakes,
  foreignImports,
  namesTaken,
  type ScenarioBody,
  sameTitle,
  valueNames,
  type WorldValues,
} from '../../scenario/index.ts';

/** A scenario from a spec file, ready to run in-process. */
export interface Scenario extends Declared {
  readonly file: string;
  /** Why it can't be played; it stands for its whole file where that doesn't load. */
  readonly mistake?: SpecMistake;
}

/** Whether a scenario holds what is known of an environment, and nothing else. */
export function holdsFacts({ file }: Scenario): boolean {
  return basename(dirname(file)) === 'facts';
}

const collected = new Map<string, Promise<Scenario[]>>();
let collecting: Promise<unknown> = Promise.resolve();

/** Folders below `tests/` that stay with the commands which name them. */
const namedFolders = ['auth', 'robustness', 'stateful', 'facts'];

/** `tests/scenarios`, and the team's own folders next to it, in one of some folders `tests`. */
export function ownFolders(all: readonly string[] = specFolders): string[] {
  const there = all.filter((tests) => existsSync(tests));
  const entries = there.flatMap((tests) => readdirSync(tests, { withFileTypes: true }));
  const own = entries.filter((entry) => entry.isDirectory() && !namedFolders.includes(entry.name));
  return ['scenarios', ...new Set(own.map(({ name }) => name).filter((name) => name !== 'scenarios'))];
}

/** The scenarios of a folder in `tests/`, or of all that are no other command's, in file order. Modules load only once, so the list is cached. */
export function scenarios(folder?: string): Promise<Scenario[]> {
  const key = folder ?? '';
  const folders = folder === undefined ? ownFolders() : [folder];
  // One folder at a time: a file declares its scenarios to the collector that is active while it loads.
  const found =
    collected.get(key) ??
    collecting.then(() => collect(...folders.flatMap((name) => specFolders.map((tests) => join(tests, name)))));
  collected.set(key, found);
  collecting = found.catch(() => {});
  return found;
}

/** The scenarios of every spec folder: those of tests/scenarios, and the generated ones. */
export async function allScenarios(): Promise<Scenario[]> {
  const all = specFolders.filter((tests) => existsSync(tests));
  const entries = all.flatMap((tests) => readdirSync(tests, { withFileTypes: true }));
  const folders = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name));
  const found: Scenario[] = [];
  for (const name of [...folders].filter((each) => namedFolders.includes(each))) found.push(...(await scenarios(name)));
  found.push(...(await scenarios()));
  return found;
}

/** The scenarios of the spec files in folders. A file that doesn't load stands in the list as one that can't be played. */
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
    found.push(asMistaken({ ...declared, file }, SpecMistake.all(declaredMistakes(declared))));
  });
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    const mistake = loadMistake(error, file, text);
    if (!mistake) throw error;
    return [leftOut(file, mistake)];
  }
  return found;
}

/** One title is one scenario, in reports as in the history: the second of two can't be played under it. */
function withoutNamesakes(all: readonly Scenario[]): Scenario[] {
  const first = new Map<string, Scenario>();
  return all.map((scenario) => {
    const { title, line } = scenario;
    const other = first.get(title);
    if (!other) first.set(title, scenario);
    if (!other?.line || !line) return scenario;
    const mistakes = [sameTitle(title, lineText(other.line), line), ...(scenario.mistake ? [scenario.mistake] : [])];
    return asMistaken({ ...scenario, title: `${title} (${lineText(line)})` }, SpecMistake.all(mistakes));
  });
}

function leftOut(file: string, mistake: SpecMistake): Scenario {
  const title = join(basename(dirname(file)), basename(file)).replaceAll('\\', '/');
  return asMistaken({ title, file, details: { tag: [] }, body: async () => {} }, mistake);
}

/** Tags that anything may read, whatever the spec wrote. */
function asMistaken(scenario: Scenario, mistake: SpecMistake | undefined): Scenario {
  if (!mistake) return scenario;
  return { ...scenario, details: { tag: ['@all', '@read'] }, mistake };
}

function declaredMistakes({ title, details, body, line }: Declared): SpecMistake[] {
  const mistakes = declarationMistakes(title, [details?.tag ?? []].flat(), body, line);
  const unknown = mistakes.length === 0 ? scenarioParameters(body).filter((name) => !valueNames.includes(name)) : [];
  const asked = unknown.map((name) => new SpecMistake(`a scenario is not given \`${name}\`; correct the name`, line));
  return [...mistakes, ...asked];
}

/** The names that a scenario's body takes from its world. */
export function scenarioParameters(body: ScenarioBody): readonly (keyof WorldValues)[] {
  return (namesTaken(body) ?? []) as (keyof WorldValues)[];
}

/**
 * The mistake behind an error that a spec file threw while it was loaded; `undefined` for an error of the suite itself, which
 * no spec can cure.
 */
function loadMistake(error: unknown, file: string, text: string): SpecMistake | undefined {
  if (error instanceof SpecMistake) return error.at({ file, line: 1 });
  const line = lineOfLoading(error, file, text);
  return (
    line &&
    new SpecMistake(
      `the file does not load: ${firstLine(error)}; correct it; until then none of its scenarios is played`,
      line,
    )
  );
}

function lineOfLoading(error: unknown, file: string, text: string): SpecLine | undefined {
  const { stack = '', message = '' } = error instanceof Error ? error : {};
  // Node writes the place of a syntax error, and of an import of a name that isn't exported, above the error.
  const [, path, line] = /^((?:file:\/\/)?[^\n]+?):(\d+)$/m.exec(stack.split('\n')[0] ?? '') ?? [];
  if (path && line) {
    const at = path.startsWith('file:') ? fileURLToPath(path) : path;
    return isSpecFile(at) ? { file: at, line: Number(line) } : undefined;
  }
  const [, missing, importer] = /^Cannot find (?:module|package) '([^']+)' imported from (\S+)/.exec(message) ?? [];
  if (missing && importer) {
    if (!isSpecFile(importer)) return undefined;
    return importer === file ? { file, line: lineNaming(missing, text) } : { file: importer, line: 1 };
  }
  if (!(error instanceof Error)) return { file, line: 1 };
  return specLineOf(stack);
}

/** The line that imports what is missing: Node names only the file that it would be. */
function lineNaming(missing: string, text: string): number {
  const name = /[^\\/]*$/.exec(missing)?.[0] ?? missing;
  const index = text.split('\n').findIndex((line) => /\b(from|import)\b/.test(line) && line.includes(name));
  return index + 1 || 1;
}

/** An error's message in one line, without the paths of this machine. */
function firstLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first = ''] = error.message.trim().split('\n').filter(Boolean);
  const shown = first
    .replace(/ imported from .*/, '')
    .replace(/(?:file:\/\/)?[^\s'"]*[\\/]((?:tests|fixtures|src|schemas)[\\/])/g, '$1');
  return `${error.name}: ${shown}`;
}
