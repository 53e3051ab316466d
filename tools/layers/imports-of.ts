import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** An import of one of the project's own files, of a type as well as of a value. Paths are relative to the root. */
export interface Import {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly target: string;
  /** Another program is told to load it: it is needed, and no layer or room is entered. */
  readonly isLoaded?: true;
}

interface Source {
  readonly type: string;
  readonly value?: unknown;
  readonly start: number;
}

/**
 * The imports in a file's text: `import`, `export … from`, `import()`, `import('…').Type`, and a module that another program loads, `ownModule('…')`. An `import()` whose path is
 * computed is left out: where it leads, only a run shows.
 */
export function importsOf(file: string, text: string): Import[] {
  const found: Import[] = [];
  const lineOf = (start: number) => text.slice(0, start).split('\n').length;
  const add = ({ value, start }: Source) => {
    if (typeof value !== 'string' || !value.startsWith('.')) return;
    found.push({ file, line: lineOf(start), target: join(dirname(file), value).replaceAll('\\', '/') });
  };
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => source && add(source),
    ImportExpression: ({ source }) => add(source),
    TSImportType: ({ source }) => add(source),
    CallExpression: ({ callee, arguments: [module], start }) => {
      if (callee.type !== 'Identifier' || callee.name !== 'ownModule' || module?.type !== 'Literal') return;
      found.push({ file, line: lineOf(start), target: `${module.value}.ts`, isLoaded: true });
    },
  }).visit(parseSync(file, text).program);
  return found;
}
