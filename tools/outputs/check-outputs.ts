import { parseSync, Visitor } from 'oxc-parser';
import { complain, textsOf } from '../check-files.ts';
import { outputs } from './allowed.ts';

const LIST = 'tools/outputs/allowed.ts';

/** Problems with the program's outputs, from its sources, each with its place and cure. */
export function outputComplaints(texts: ReadonlyMap<string, string>): string[] {
  const used = new Set<string>();
  const complaints: string[] = [];
  for (const [file, text] of texts)
    for (const { line, what } of outputsOf(file, text)) {
      used.add(file);
      if (file in outputs) continue;
      complaints.push(
        `${file}:${line}: ${what} is a way out of the program for which nothing says that secrets are masked. Write files with replaceText and appendText, which take what redact gives; or add a line to ${LIST} that says why no secret can leave here.`,
      );
    }
  const stale = Object.keys(outputs).filter((file) => !used.has(file));
  return [...complaints, ...stale.map((file) => `${file}: it has no way out any more. Take its line out of ${LIST}.`)];
}

/** The exports of a module that write output; absent: all of them. */
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

/** The ways out that a file's text opens: the line, from 1, and the function or package that opens it. */
export function outputsOf(file: string, text: string) {
  const found: { readonly line: number; readonly what: string }[] = [];
  const add = (start: number, what: string) => {
    found.push({ line: text.slice(0, start).split('\n').length, what });
  };
  new Visitor({
    ImportDeclaration: ({ source, specifiers, importKind, start }) => {
      const names = modules[source.value.replace(/^node:/, '')];
      if (!names || importKind === 'type') return;
      for (const specifier of specifiers) {
        if (specifier.type === 'ImportSpecifier' && specifier.importKind === 'type') continue;
        // A namespace or a default import holds everything.
        if (specifier.type !== 'ImportSpecifier' || names.test(nameOf(specifier.imported)))
          add(start, `${source.value} ${specifier.local.name}`);
      }
    },
    ImportExpression: ({ source, start }) => {
      const name = source.type === 'Literal' ? String(source.value) : '';
      if (modules[name.replace(/^node:/, '')]) add(start, name);
    },
    CallExpression: ({ callee, arguments: args, start }) => {
      if (callee.type === 'Identifier' && /^fetch(ByRoute)?$/.test(callee.name)) add(start, 'fetch');
      const [named] = callee.type === 'MemberExpression' || callee.type === 'Identifier' ? args : [];
      const isLoader = /(^|\.)(getBuiltinModule|require)$/.test(text.slice(callee.start, callee.end));
      const name = isLoader && named?.type === 'Literal' ? String(named.value) : '';
      if (modules[name.replace(/^node:/, '')]) add(start, name);
    },
  }).visit(parseSync(file, text).program);
  return found;
}

function nameOf(imported: { readonly type: string; readonly name?: string; readonly value?: unknown }): string {
  return imported.name ?? String(imported.value);
}

if (import.meta.main) {
  const isOfProgram = (file: string) => !file.endsWith('.test.ts') && !file.startsWith('src/testing/');
  const texts = textsOf(['src/**/*.ts', 'fixtures/**/*.ts', '*.ts']);
  complain(outputComplaints(new Map([...texts].filter(([file]) => isOfProgram(file)))));
}
