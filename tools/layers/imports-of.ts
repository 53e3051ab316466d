import { dirname, join } from 'node:path';
import { Visitor } from 'oxc-parser';
import { lineAt, type Source } from '../sources.ts';

/** An import of one of the project's own files, whether of a type or of a value. Paths are relative to the root. */
export interface Import {
  readonly file: string;
  /** The line, counted from 1. */
  readonly line: number;
  readonly target: string;
  /** True if another program loads the file. The file is not dead code then, but the rules for layers don't apply to this import. */
  readonly isLoaded?: true;
}

/**
 * The imports in a file: `import`, `export … from`, `import()`, `import('…').Type`, and `ownModule('…')` for a module that another program
 * loads. Leaves out an `import()` with a computed path, because its target is only known at run time.
 */
export function importsOf({ file, text, program }: Source): Import[] {
  const importsFound: Import[] = [];
  const add = ({ value, start }: { readonly type: string; readonly value?: unknown; readonly start: number }) => {
    if (typeof value !== 'string' || !value.startsWith('.')) return;
    importsFound.push({ file, line: lineAt(text, start), target: join(dirname(file), value).replaceAll('\\', '/') });
  };
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => source && add(source),
    ImportExpression: ({ source }) => add(source),
    TSImportType: ({ source }) => add(source),
    CallExpression: ({ callee, arguments: [module], start }) => {
      if (callee.type !== 'Identifier' || callee.name !== 'ownModule' || module?.type !== 'Literal') return;
      importsFound.push({ file, line: lineAt(text, start), target: `${module.value}.ts`, isLoaded: true });
    },
  }).visit(program);
  return importsFound;
}
