import { yaml } from '../yaml.ts';
import { DocumentTrouble } from './document-trouble.ts';

/** Aliases of one YAML file, the nested ones multiplied: more than any document needs, and no bomb. */
const MOST_ALIASES = 10_000;

/** The value of a JSON or YAML text; `name` is its file, for messages. @throws DocumentTrouble */
export function parseDocument(text: string, name: string): unknown {
  try {
    return parseJson(text) ?? parseYaml(text, name);
  } catch (error) {
    if (error instanceof RangeError) throw new DocumentTrouble(name, 'is nested too deeply; correct it');
    throw error;
  }
}

/** JSON is YAML too, whose parser is slower but knows the line of a mistake. */
function parseJson(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

function parseYaml(text: string, name: string): unknown {
  const document = yaml().parseDocument(text, { merge: true, logLevel: 'silent' });
  const [error] = document.errors;
  // The parser reports an exhausted stack as one of the text's errors.
  if (error?.message.startsWith('Maximum call stack')) throw new RangeError(error.message);
  if (error)
    throw new DocumentTrouble(atLine(name, error.linePos?.[0].line), `${firstLine(error.message)}; correct it`);
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new DocumentTrouble(name, `${firstLine((error as Error).message)}; write out what its aliases stand for`);
  }
}

function atLine(name: string, line: number | undefined): string {
  return line === undefined ? name : `${name} line ${line}`;
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
}
