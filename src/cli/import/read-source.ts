import { ConfigurationError } from '../../environment/configuration-error.ts';
import { fileRoles, isFolder, readText } from '../../environment/files/index.ts';
import { lossesIn, mayBeSecret, parseVariables, shown } from '../../environment/index.ts';
import { curl, isCurl } from './curl.ts';
import { type Format, looksLikeJson, parsedDocument, variable } from './document.ts';
import { openapi, postmanCollection, postmanEnvironment } from './formats.ts';

/**
 * Largest file that can be imported, in bytes: larger than any real export. The limit protects the memory, because an import holds several
 * copies of the file.
 */
const LARGEST_BYTES = 20_000_000;
const role = fileRoles.given;
/** Bruno can export collections in Postman's format, but not environments. */
const OF_BRUNO =
  'from Bruno, export a collection as a Postman collection, and import the `vars` of an environment as KEY=value lines (.env)';

export type Source = ReturnType<typeof textSource>;

/**
 * Reads a source, which is the path of a file, or itself a curl command.
 * @throws ConfigurationError with a message of one line
 */
export function readSource(source: string): Source {
  if (isCurl(source)) return textSource(source, 'The command');
  const path = source.trim().replace(/^~(?=\/)/, process.env.HOME ?? '~');
  if (isFolder(path, role)) throw new ConfigurationError(`${shown(path)} is a folder. Name a file; ${OF_BRUNO}.`);
  return textSource(readText(path, role, LARGEST_BYTES), shown(path));
}

/**
 * Parses a text by the first of the `formats` that matches.
 * @throws ConfigurationError if none matches
 */
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
    `${file} has no format that can be imported; expected ${formats.map(({ kind }) => kind).join(', ')}.${document.trouble}`,
  );
}

/** Formats that the import can't read, each with the way to convert it to a format that the import can read. */
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

/**
 * The format of KEY=value lines, which applications read. It must be the last of the `formats`, because many files in other formats contain
 * such a line.
 */
const lines: Format = {
  kind: 'KEY=value lines (.env)',
  read: ({ text }) => {
    if (looksLikeJson(text)) return undefined;
    // Take only keys with `=`. The parser also accepts lines such as `openapi: 3.1.0`, so without this condition many YAML files would
    // match.
    const named = new Set(Array.from(text.matchAll(/^\s*(?:export\s+)?([\w.-]+)\s*=/gm), ([, key]) => key));
    const losses = lossesIn(text);
    const isCut = (key: string) => losses.some((loss) => loss.key === key && loss.text.includes('#'));
    const entries = Object.entries(parseVariables(text)).filter(
      ([key, value]) => named.has(key) && !mayBeSecret(key, value),
    );
    if (entries.length === 0) return undefined;
    const whole = entries.filter(([key]) => !isCut(key));
    return {
      // In files of applications, a value may refer to other variables, so convert these references.
      variables: whole.map(([key, value]) => variable(key, withVariables(value, named))),
      requests: [],
      ignored: losses.map((loss) => `line ${loss.line}, ${loss.key}: ${loss.text}`),
    };
  },
};

/**
 * Converts `${X}` and `${X:-default}` to the form `{{X}}`. Converts `$X` only if the value is an address or the file defines X: in other
 * values, `$` may be a part of a secret.
 */
function withVariables(value: string, known: ReadonlySet<string | undefined>): string {
  const isAddress = /^(?:https?:\/\/|\$[A-Z_]+\/)[^@]*$/i.test(value);
  const braced = /\$\{(\w+)(?::?-((?:[^{}]|\{\{\w+\}\})*))?\}/g;
  const replaced = (text: string) =>
    text.replace(braced, (_, name, otherwise) => `{{${otherwise === undefined ? name : `${name}:-${otherwise}`}}}`);
  // Replace twice, because the default of a variable may itself refer to a variable.
  return replaced(replaced(value)).replace(/\$([a-z_]\w*)/gi, (whole, name) =>
    known.has(name) || isAddress ? `{{${name}}}` : whole,
  );
}

/** Every kind of file that can be imported. The first format that recognises a file reads it. */
const formats: readonly Format[] = [postmanEnvironment, postmanCollection, openapi, curl, lines];
