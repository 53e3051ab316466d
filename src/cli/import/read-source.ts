import { ConfigurationError } from '../../environment/configuration-error.ts';
import { fileRoles, isFolder, readText } from '../../environment/files/index.ts';
import { lossesIn, mayBeSecret, parseVariables, shown } from '../../environment/index.ts';
import { curl, isCurl } from './curl.ts';
import { type Format, looksLikeJson, parsedDocument, variable } from './document.ts';
import { openapi, postmanCollection, postmanEnvironment } from './formats.ts';

/** Larger than any export; its parts are kept several times while it is read. */
const LARGEST_BYTES = 20_000_000;
const role = fileRoles.given;
/** Bruno writes Postman's format for collections alone. */
const OF_BRUNO =
  'from Bruno, export a collection as a Postman collection, and import the `vars` of an environment as KEY=value lines (.env)';

export type Source = ReturnType<typeof textSource>;

/** Reads what can be imported: a file, or a curl command itself. @throws ConfigurationError, one line. */
export function readSource(source: string): Source {
  if (isCurl(source)) return textSource(source, 'The command');
  const path = source.trim().replace(/^~(?=\/)/, process.env.HOME ?? '~');
  if (isFolder(path, role)) throw new ConfigurationError(`${shown(path)} is a folder. Name a file; ${OF_BRUNO}.`);
  return textSource(readText(path, role, LARGEST_BYTES), shown(path));
}

/** A text of any kind that `formats` has. @throws ConfigurationError when it is of no known kind. */
export function textSource(text: string, file: string) {
  if (/[\0\uFFFD]/.test(text)) throw new ConfigurationError(`${file} is not text in UTF-8. Save it as UTF-8.`);
  if (/\.bru$/.test(file) || /^opencollection:|"(brunoConfig|bruno-environment)"/m.test(text))
    throw new ConfigurationError(`${file} is a file of Bruno's own; ${OF_BRUNO}.`);
  const document = parsedDocument(file, text);
  for (const { kind, read } of formats) {
    const contents = read(document);
    if (contents) return { kind, file, contents };
  }
  const other = foreign.find(({ pattern }) => pattern.test(text));
  if (other) throw new ConfigurationError(`${file} is ${other.is}. ${other.cure}.`);
  if (/\bInvoke-(?:WebRequest|RestMethod)\b|\bfetch\(["'`]http/.test(text.slice(0, 10_000)))
    throw new ConfigurationError(`${file} is a request for PowerShell or for scripts. Copy it as cURL (bash).`);
  throw new ConfigurationError(
    `${file} is of no kind that can be imported: ${formats.map(({ kind }) => kind).join(', ')}.${document.trouble}`,
  );
}

/** Formats that the import doesn't read, each with the conversion to one that it reads. */
const foreign = [
  {
    pattern: /(?:^|[{,])[^\S\n]*["']?swagger["']?[^\S\n]*:[^\S\n]*["']?[12]\b/m,
    is: 'Swagger 2',
    cure: 'Convert it to OpenAPI 3: npx swagger2openapi FILE -o openapi.yaml',
  },
  {
    pattern: /^\s*\{\s*"log"\s*:\s*\{/,
    is: 'a HAR recording',
    cure: 'Copy its requests as cURL (bash) from the network tab of the browser, and import that',
  },
  {
    pattern: /"__export_format"\s*:|^type:\s*["']?[\w.]*\binsomnia\.rest\//m,
    is: 'an export of Insomnia',
    cure: 'Copy its requests there with Generate Code as cURL, and its variables as KEY=value lines, and import these',
  },
];

/** A file of KEY=value lines, as applications have them. Last in the list: many a text has a line that looks like one. */
const lines: Format = {
  kind: 'KEY=value lines (.env)',
  read: ({ text }) => {
    if (looksLikeJson(text)) return undefined;
    // dotenv takes `key: value` as well, and so half of any YAML, such as `openapi: 3.1.0`.
    const named = new Set(Array.from(text.matchAll(/^\s*(?:export\s+)?([\w.-]+)\s*=/gm), ([, key]) => key));
    const losses = lossesIn(text);
    const isCut = (key: string) => losses.some((loss) => loss.key === key && loss.text.includes('#'));
    const entries = Object.entries(parseVariables(text)).filter(
      ([key, value]) => named.has(key) && !mayBeSecret(key, value),
    );
    if (entries.length === 0) return undefined;
    const whole = entries.filter(([key]) => !isCut(key));
    return {
      // Applications put variables into others.
      variables: whole.map(([key, value]) => variable(key, withVariables(value, named))),
      requests: [],
      ignored: losses.map((loss) => `line ${loss.line}, ${loss.key}: ${loss.text}`),
    };
  },
};

/** `${X}` and `${X:-default}` as variables, and `$X` where the file has X, or in an address: elsewhere a secret may hold a `$`. */
function withVariables(value: string, known: ReadonlySet<string | undefined>): string {
  const isAddress = /^(?:https?:\/\/|\$[A-Z_]+\/)[^@]*$/i.test(value);
  const braced = /\$\{(\w+)(?::?-((?:[^{}]|\{\{\w+\}\})*))?\}/g;
  const replaced = (text: string) =>
    text.replace(braced, (_, name, otherwise) => `{{${otherwise === undefined ? name : `${name}:-${otherwise}`}}}`);
  // A default may be a variable in turn.
  return replaced(replaced(value)).replace(/\$([a-z_]\w*)/gi, (whole, name) =>
    known.has(name) || isAddress ? `{{${name}}}` : whole,
  );
}

/** Every kind of file that can be imported; the first that recognises a file reads it. */
const formats: readonly Format[] = [postmanEnvironment, postmanCollection, openapi, curl, lines];
