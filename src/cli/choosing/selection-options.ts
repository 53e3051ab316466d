import { type Command, InvalidArgumentError } from 'commander';
import { type Checked, counted, didYouMean, globSource } from '../../environment/index.ts';
import { type AreaId, areaIds } from '../../service/index.ts';

/** Options that choose scenarios, the same in every command. */
export interface Words {
  /** Scenarios of any of these areas. */
  readonly area?: readonly AreaId[];
  /** Regular expression, as in Playwright: it is searched for in file, title and tags, case-insensitive. */
  readonly grep?: string;
  /** Scenarios with any of these tags, each with or without `@`. */
  readonly tag?: readonly string[];
}

/** Adds `--area`, `--grep` and `--tag` to a command. `things` names in the help what these options choose, e.g. `scenarios`. */
export function withWords(command: Command, things: string): Command {
  return command
    .option('--area <area>', `only ${things} of an area: ${areaIds.join(', ')}; repeat for several`, areaName)
    .option('--grep <pattern>', `only ${things} whose file, title or tags match this regular expression`, pattern)
    .option('--tag <tag>', `only ${things} with a tag, e.g. read; repeat for several`, append);
}

/**
 * Combines the options into one regular expression, for Playwright's `--grep` and for `fits`; `undefined` if the user gave none of the
 * options.
 */
export function grepOf({ area, grep, tag }: Words): string | undefined {
  const parts = [
    ...(area ? [tagged(area)] : []),
    ...(grep === undefined ? [] : [`(?:${sourceOf(grep)})`]),
    ...(tag ? [tagged(tag.map((each) => each.replace(/^@/, '')))] : []),
  ];
  return parts.length === 0 ? undefined : parts.map((part) => `(?=.*${part})`).join('');
}

/** Whether a text of file, title and tags matches the options. */
export function fits(text: string, words: Words): boolean {
  const source = grepOf(words);
  return source === undefined || new RegExp(source, 'i').test(text);
}

export function wordsText({ area = [], grep, tag = [] }: Words): string {
  return [
    ...area.map((each) => `--area ${each}`),
    ...(grep === undefined ? [] : [`--grep '${grep}'`]),
    ...tag.map((each) => `--tag ${each}`),
  ].join(' ');
}

function tagged(names: readonly string[]): string {
  return `(?:^|\\s)@(?:${names.map((name) => RegExp.escape(name)).join('|')})(?:\\s|$)`;
}

/** Removes the slashes of `/text/`, because Playwright accepts a regular expression with or without slashes. */
function sourceOf(grep: string): string {
  return /^\/(.*)\/[gi]*$/.exec(grep)?.[1] ?? grep;
}

function areaName(value: string, earlier: readonly AreaId[] = []): AreaId[] {
  const area = areaIds.find((id) => id === value);
  if (!area) throw new InvalidArgumentError(`Not an area${didYouMean(value, areaIds)}. Areas: ${areaIds.join(', ')}.`);
  return [...earlier, area];
}

function pattern(value: string): string {
  try {
    new RegExp(sourceOf(value));
    return value;
  } catch (error) {
    throw new InvalidArgumentError(`It must be a regular expression: ${(error as Error).message}.`);
  }
}

/** Makes a parser for the value of a command-line option from a function that checks the values of an environment's keys. */
export function checked<T>(check: (value: string) => Checked<T>): (value: string) => T {
  return (value) => {
    const found = check(value);
    if ('problem' in found) throw new InvalidArgumentError(`${found.problem}.`);
    return found.value;
  };
}

export function append(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

/** Converts a title for the name of a file: `Love, then unlove` becomes `love-then-unlove`. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** Translates a title pattern for Playwright's `--grep`, which searches file, title and tags of a test as one text. */
export function titleSource(glob: string): string {
  return `\\.[cm]?[jt]s (?:${globSource(glob)})(?: @\\S+)*$`;
}

/** Maximum number of names that `someNames` lists in full. */
const MOST_NAMES = 5;

/** The names of environments, or how many there are and some of the names. */
export function someNames(names: readonly string[]): string {
  if (names.length <= MOST_NAMES) return names.join(', ');
  return `${counted(names.length, 'environment')} (${names.slice(0, MOST_NAMES - 1).join(', ')} … ${names.at(-1)})`;
}
