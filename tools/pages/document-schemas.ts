import { join } from 'node:path';
import { createGenerator, createProgram, DEFAULT_CONFIG } from 'ts-json-schema-generator';
import { credentialKeys, type KeyEntry, keys, requiredKeys, secretKeys } from '../../src/environment/index.ts';
import { projectRoot } from '../../src/environment/project-root.ts';

/** The documents that other programs read or write, each with its TypeScript type. */
const documents = {
  check: {
    type: 'CheckDocument',
    file: 'src/cli/check/check-document.ts',
    title: 'The document of sextant check --json',
  },
  // The program refuses a file of facts with an unknown field, so this schema allows none. Readers of the other documents must accept
  // unknown fields.
  facts: { type: 'FactsDocument', file: 'src/facts/facts.ts', title: 'environments/<name>.facts.json', isClosed: true },
  notice: { type: 'Notice', file: 'src/monitor/alerting/notice.ts', title: 'What the channel webhook posts' },
  status: { type: 'StatusDocument', file: 'src/monitor/status-page/status-json.ts', title: 'status.json of a monitor' },
};

const fileOf = (name: string) => `docs/schemas/${name}.schema.json`;
const textOf = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
const DRAFT = { $schema: 'http://json-schema.org/draft-07/schema#' };

/** The JSON Schemas of the documents, by file. Takes seconds, because TypeScript's compiler reads a third of the program. */
export function typeSchemas(): Map<string, string> {
  const root = (file: string) => join(projectRoot, file);
  const config = {
    ...DEFAULT_CONFIG,
    path: root(
      `{${Object.values(documents)
        .map(({ file }) => file)
        .join()}}`,
    ),
    tsconfig: join(import.meta.dirname, 'documents.tsconfig.json'),
    topRef: false,
    expose: 'none',
    // Skipped, because `npm run check` checks the types, with the project's own compiler, which is newer.
    skipTypeCheck: true,
  } as const;
  const tsProgram = createProgram(config);
  const schemas = Object.entries(documents).map(([name, { type, title, ...of }]): [string, string] => {
    const generator = createGenerator({ ...config, tsProgram, additionalProperties: !('isClosed' in of) });
    const { definitions: _, ...schema } = generator.createSchema(type);
    return [fileOf(name), textOf({ ...DRAFT, title, ...schema })];
  });
  return new Map(schemas);
}

const described = Object.entries<Pick<KeyEntry, 'meaning' | 'fallback'>>({
  ...keys,
  ...Object.fromEntries(Object.entries(secretKeys).map(([name, meaning]) => [name, { meaning }])),
});
const text = { type: 'string' };

/** Files for editors, generated from the table of keys: a JSON Schema of an environment's file, and snippets that complete keys. */
export const keyFiles: readonly { readonly file: string; readonly make: () => string }[] = [
  {
    file: fileOf('environment'),
    make: () =>
      textOf({
        ...DRAFT,
        title: 'environments/<name>.env, as an object',
        type: 'object',
        properties: Object.fromEntries(
          described.map(([name, { meaning, fallback }]) => [
            name,
            { ...text, description: meaning, ...(fallback ? { default: fallback } : {}) },
          ]),
        ),
        patternProperties: {
          [`^(${Object.keys(secretKeys).join('|')})_FILE$`]: { ...text, description: 'a file that holds the secret' },
          [`^(${credentialKeys.join('|')})_COMMAND$`]: { ...text, description: 'a program that prints the credential' },
        },
        required: requiredKeys,
        additionalProperties: false,
      }),
  },
  {
    file: '.vscode/environment.code-snippets',
    make: () =>
      textOf(
        Object.fromEntries(
          described.map(([name, { meaning, fallback = '' }]) => [
            name,
            // A dollar, a brace and a backslash are escaped, because an editor would read them as parts of the placeholder.
            {
              scope: 'dotenv',
              prefix: name,
              body: `${name}=\${1:${fallback.replace(/[\\$}]/g, '\\$&')}}`,
              description: meaning,
            },
          ]),
        ),
      ),
  },
];
