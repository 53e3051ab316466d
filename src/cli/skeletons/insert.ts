import { join } from 'node:path';
import { redact } from '../../client/index.ts';
import { fileRoles, isThere, readTextIfAny, replaceText } from '../../config/files/index.ts';
import { attempt, ConfigurationError } from '../../config/index.ts';
import { workFolder } from '../../config/project-root.ts';

/** A change of one file of the project, whose path is relative to its root. */
export interface Change {
  readonly file: string;
  /** The new text; `undefined` stands for a file that must not exist yet. @throws ConfigurationError */
  readonly make: (text: string | undefined) => string;
}

export function newFile(file: string, text: string, cure = 'Choose another name.'): Change {
  return {
    file,
    make: (existing) => {
      if (existing !== undefined) throw new ConfigurationError(`${file} exists already. ${cure}`);
      return text;
    },
  };
}

/** Adds an entry at the end of a top-level object that begins with `opening`. The project's code is formatted, so it ends at a `}` in the first column. */
export function entryIn(file: string, opening: string, entry: string): Change {
  return inText(file, opening, (text) => {
    const end = text.indexOf('\n}', text.indexOf(opening));
    return end < 0 ? undefined : `${text.slice(0, end + 1)}${entry}${text.slice(end + 1)}`;
  });
}

/** Adds an import of one of the modules beside others from the same folder, in the order of their names. */
export function importIn(file: string, name: string, module: string): Change {
  const folder = module.slice(0, module.lastIndexOf('/') + 1);
  return inText(file, `from '${folder}`, (text) => {
    const imports = [...text.matchAll(/^import [^;]*? from '([^']+)';\n/gm)].filter(
      ([, from = '']) => from.startsWith(folder) && !from.slice(folder.length).includes('/'),
    );
    const next = imports.find(([, from = '']) => from > module);
    const last = imports.at(-1);
    const at = next ? next.index : last && last.index + last[0].length;
    return at === undefined ? undefined : `${text.slice(0, at)}import { ${name} } from '${module}';\n${text.slice(at)}`;
  });
}

function inText(file: string, place: string, change: (text: string) => string | undefined): Change {
  return {
    file,
    make: (text) => {
      const changed = text?.includes(place) ? change(text) : undefined;
      if (changed === undefined)
        throw new ConfigurationError(
          `${file} has no place that begins with "${place}". Add the line by hand: CONTRIBUTING.md has the steps.`,
        );
      return changed;
    },
  };
}

/** What `sextant new` writes: it compiles, is formatted, and is red until it is filled in. */
export interface Skeleton {
  readonly changes: readonly Change[];
  /** What is to be done now, a line each. */
  readonly next: readonly string[];
}

const { source } = fileRoles;

/** @throws ConfigurationError where this isn't a checkout, as in the image. */
export function assertCheckout(): void {
  for (const file of ['CONTRIBUTING.md', 'tools/check.ts'])
    if (!isThere(join(workFolder, file), source))
      throw new ConfigurationError(
        `${file} is missing: this is not a checkout of the project. Clone its repository, and try again there.`,
      );
}

/**
 * Makes all changes in `root`, or none; returns a line for each file.
 * @throws ConfigurationError with each name that is taken.
 */
export function writeChanges(changes: readonly Change[], root = workFolder): string[] {
  const texts = new Map<string, string>();
  const lines = new Set<string>();
  const problems: string[] = [];
  for (const { file, make } of changes) {
    const existing = texts.get(file) ?? readTextIfAny(join(root, file), source);
    lines.add(`${existing === undefined ? 'wrote' : 'changed'} ${file}`);
    const made = attempt(() => make(existing));
    if (made instanceof ConfigurationError) problems.push(made.message);
    else texts.set(file, made);
  }
  if (problems.length > 0) throw new ConfigurationError(problems.join('\n'));
  for (const [file, text] of texts) replaceText(join(root, file), redact(text), source);
  return [...lines];
}

/** Makes the changes of a skeleton in `root`; says which, and what is next. @throws ConfigurationError */
export function writeSkeleton({ changes, next }: Skeleton, root = workFolder): void {
  const lines = [...writeChanges(changes, root), '', 'Next:', ...next.map((line) => `- ${line}`)];
  process.stdout.write(`${lines.join('\n')}\n`);
}

const reserved =
  /^(break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|import|in|instanceof|new|null|return|super|switch|this|throw|true|try|typeof|var|void|while|with|yield|let|static|await|async|package|private|protected|public|interface|implements|eval|arguments)$/;

/**
 * A name that can stand in the code.
 * @throws ConfigurationError
 */
export function identifier(what: string, name: string, pattern: RegExp, example: string): string {
  if (pattern.test(name) && name.length <= 60 && !reserved.test(name)) return name;
  throw new ConfigurationError(
    `${JSON.stringify(name.slice(0, 80))} can't be the name of ${what}; expected: letters and digits, like ${example}.`,
  );
}

/** `pinStory` as `pin-story`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `Love, then unlove` as `love-then-unlove`. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** `pinStory` as `Pin story`. */
export function words(name: string): string {
  const text = kebab(name).replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A line of code that biome would leave on one line. */
export const fits = (line: string) => line.length <= 120;
