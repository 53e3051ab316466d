import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isThere, readTextIfAny } from '../../environment/files/index.ts';
import { importsOf } from '../../scenario/index.ts';
import { isOfSuite, isThrownBySuite, lineOfMistake, type SpecLine, SpecMistake } from '../../verdict/index.ts';

/**
 * The mistake behind an error that was thrown while a spec file, or a helper that it imports, was loading.
 * @throws the error itself if it comes from the suite, because no change of a spec can fix it
 */
export function loadMistake(error: unknown, file: string): SpecMistake {
  if (error instanceof SpecMistake) return error.at({ file, line: 1 });
  const { line = { file, line: 1 }, cure = 'correct it' } = error instanceof Error ? placeOfLoading(error, file) : {};
  if (isOfSuite(line.file)) throw error;
  const text = `the file does not load: ${firstLine(error)}; ${cure}; until then Sextant runs none of its scenarios`;
  return new SpecMistake(text, line);
}

interface Place {
  readonly line?: SpecLine | undefined;
  readonly cure?: string;
}

const role = { what: 'a file of a spec' };

/** Node's messages for an import that fails. The first group is the path or package that Node could not import. */
const FAILED_IMPORT = /^(?:Cannot find|Module|Directory import|Package|Unknown)[^'"]*['"]([^'"]+)['"]/;

/** The line that caused a loading error, and what the author can do about it. */
function placeOfLoading(error: Error, file: string): Place {
  const { stack = '', message } = error;
  // For a syntax error, or an import of a name that isn't exported, the stack begins with the place of the mistake (`file:line`).
  const [, path, line] = /^((?:file:\/\/)?[^\n]+?):(\d+)$/m.exec(stack.split('\n')[0] ?? '') ?? [];
  if (path && line) return { line: { file: pathOf(path), line: Number(line) } };
  const [, asked] = FAILED_IMPORT.exec(message) ?? [];
  if (asked) {
    const [, from] = / imported from (.+)$/m.exec(message) ?? [];
    const importer = from === undefined ? file : pathOf(from);
    // For some errors, Node names the imported module, but not the file that imports it.
    const found = importOf(pathOf(asked), importer, from === undefined);
    return { line: found?.line ?? { file: importer, line: 1 }, cure: cureOf(error, pathOf(asked), found?.module) };
  }
  if (isThrownBySuite(stack)) throw error;
  return { line: lineOfMistake(stack) };
}

function cureOf({ code }: NodeJS.ErrnoException, asked: string, module = asked): string {
  if (code === 'ERR_IMPORT_ATTRIBUTE_MISSING') return `write import … from '${module}' with { type: 'json' }`;
  if (/^\.{0,2}\//.test(module)) {
    const meant = meantFile(asked);
    return meant
      ? `write '${module.replace(/\.[cm]?js$/, '')}${meant}': Node needs the whole name`
      : 'there is no such file; correct the path';
  }
  return `install ${module} with npm, or, if tsconfig.json has it as an alias, write the file's path: Node reads no \`paths\``;
}

/** The file ending that is missing in an import's path. `undefined` if there is no such file with any ending. */
function meantFile(path: string): string | undefined {
  const stem = path.replace(/\.[cm]?js$/, '');
  return ['.ts', '.js', '.mts', '.mjs', '/index.ts', '/index.js'].find((end) => isThere(`${stem}${end}`, role));
}

interface Import {
  readonly module: string;
  readonly line: SpecLine;
}

/** Finds the import of `asked`, a path or a package, in a file. With `isDeep`, also searches the files that this file imports. */
function importOf(asked: string, file: string, isDeep: boolean, seen = new Set<string>()): Import | undefined {
  const text = seen.has(file) || isOfSuite(file) ? undefined : readTextIfAny(file, role);
  if (text === undefined) return undefined;
  seen.add(file);
  const imports = importsOf(text).map(({ module, line }) => ({
    module,
    path: /^\.{1,2}\//.test(module) ? resolve(dirname(file), module) : module,
    line: { file, line },
  }));
  const own = imports.find(({ module, path }) => path === asked || module === asked || module.startsWith(`${asked}/`));
  if (own || !isDeep) return own;
  for (const { path } of imports.filter((each) => each.path !== each.module)) {
    const found = importOf(asked, path, true, seen);
    if (found) return found;
  }
  return undefined;
}

function pathOf(place: string): string {
  return place.startsWith('file:') ? fileURLToPath(place) : place;
}

/** The first line of an error's message, with paths that begin inside the project. */
function firstLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first = ''] = error.message.trim().split('\n').filter(Boolean);
  const shown = first
    .replace(/ imported from .*/, '')
    .replace(/(?:file:\/\/)?[^\s'"]*[\\/]((?:tests|fixtures|src|schemas)[\\/])/g, '$1');
  return `${error.name}: ${shown}`;
}
