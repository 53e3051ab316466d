import { Visitor } from 'oxc-parser';
import { lineAt, type Source } from '../sources.ts';
import { outputs } from './allowed.ts';

const LIST = 'tools/outputs/allowed.ts';
/** Matches the files of the program and its specs, but neither tests nor helpers of tests. */
const PROGRAM = /^(?!.*\.test\.ts$|src\/testing\/)(?:(?:src|fixtures|tests)\/.*|[^/]+)\.ts$/;

/** Problems with the program's outputs, each with its place and cure. */
export function outputComplaints(sources: readonly Source[]): string[] {
  const found = sources.filter(({ file }) => PROGRAM.test(file)).flatMap(outputsOf);
  const used = new Set(found.map(({ file }) => file));
  return [
    ...found
      .filter(({ file }) => !(file in outputs))
      .map(
        ({ file, line, what }) =>
          `${file}:${line}: ${what} is a way out of the program for which nothing says that secrets are masked. Write files with replaceText and appendText, which take what redact gives; or add a line to ${LIST} that says why no secret can leave here.`,
      ),
    ...Object.keys(outputs)
      .filter((file) => !used.has(file))
      .map((file) => `${file}: it has no way out any more. Take its line out of ${LIST}.`),
  ];
}

/** For each module, a pattern that matches the names of those exports with which a file can write output. */
const modules: Readonly<Record<string, RegExp>> = {
  fs: /^(write|append|createWriteStream|cp|copy)/,
  'fs/promises': /^(write|append|cp|copy|open)/,
  sqlite: /^DatabaseSync$/,
  http: /^(default|createServer|request|get)$/,
  https: /^(default|createServer|request|get)$/,
  http2: /./,
  net: /^(createServer|connect|createConnection|Socket)$/,
  tls: /^(createServer|connect)$/,
  dgram: /./,
  nodemailer: /./,
  'allure-js-commons': /./,
  'allure-js-commons/sdk/reporter': /./,
};

/**
 * A pattern for the exports of a module with which a file can write output. In a spec, the exports of all packages match, because a spec
 * should get everything from its fixtures.
 */
function outputsIn(module: string, file: string): RegExp | undefined {
  if (file.startsWith('tests/') && !/^\.|^$/.test(module)) return /./;
  return modules[module.replace(/^node:/, '')];
}

/** Each output that a file opens: its line, and the function or package that opens it. */
function outputsOf({ file, text, program }: Source) {
  const placesFound: { readonly file: string; readonly line: number; readonly what: string }[] = [];
  const add = (start: number, what: string) => {
    placesFound.push({ file, line: lineAt(text, start), what });
  };
  new Visitor({
    ImportDeclaration: ({ source, specifiers, importKind, start }) => {
      const names = outputsIn(source.value, file);
      if (!names || importKind === 'type') return;
      if (specifiers.length === 0) add(start, source.value);
      for (const specifier of specifiers) {
        if (specifier.type === 'ImportSpecifier' && specifier.importKind === 'type') continue;
        // A namespace import or a default import contains every export.
        if (specifier.type !== 'ImportSpecifier' || names.test(nameOf(specifier.imported)))
          add(start, `${source.value} ${specifier.local.name}`);
      }
    },
    ImportExpression: ({ source, start }) => {
      const name = source.type === 'Literal' ? String(source.value) : '';
      if (outputsIn(name, file)) add(start, name);
    },
    CallExpression: ({ callee, arguments: args, start }) => {
      if (callee.type === 'Identifier' && /^fetch(ByRoute)?$/.test(callee.name)) add(start, 'fetch');
      const [named] = callee.type === 'MemberExpression' || callee.type === 'Identifier' ? args : [];
      const isLoader = /(^|\.)(getBuiltinModule|require)$/.test(text.slice(callee.start, callee.end));
      const name = isLoader && named?.type === 'Literal' ? String(named.value) : '';
      if (outputsIn(name, file)) add(start, name);
    },
  }).visit(program);
  return placesFound;
}

function nameOf(imported: { readonly type: string; readonly name?: string; readonly value?: unknown }): string {
  return imported.name ?? String(imported.value);
}
