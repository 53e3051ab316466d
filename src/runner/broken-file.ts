import { fileURLToPath } from 'node:url';
import { isSpecFile, type SpecLine, SpecMistake, specLineOf } from '../client/index.ts';

/**
 * The mistake behind an error that a spec file threw while it was loaded; `undefined` for an error of the suite itself, which
 * no spec can cure.
 */
export function loadMistake(error: unknown, file: string, text: string): SpecMistake | undefined {
  if (error instanceof SpecMistake) return error.at({ file, line: 1 });
  const line = lineOfLoading(error, file, text);
  return line && SpecMistake.of('does not load', { error: firstLine(error) }, line);
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
