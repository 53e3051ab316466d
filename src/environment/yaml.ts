import { createRequire } from 'node:module';
import type Yaml from 'yaml';

/**
 * Maximum number of aliases that a text may expand to. Real documents have fewer, and a text with nested aliases could exhaust the memory.
 */
const MOST_ALIASES = 10_000;

/** Maximum length of a text, in characters. The parser takes some seconds for a text of this length. */
const MOST_CHARACTERS = 5_000_000;

/** The value of a YAML text, or its first mistake with the cure. @throws RangeError for a text that is nested too deeply. */
export function parseYaml(text: string) {
  if (text.length > MOST_CHARACTERS)
    return {
      problem: `has more than ${MOST_CHARACTERS.toLocaleString('en')} characters of YAML`,
      cure: 'convert it to JSON, which is read faster',
    };
  // Loaded only with the first YAML text, because most runs have none.
  const yaml: typeof Yaml = createRequire(import.meta.url)('yaml');
  const lines = new yaml.LineCounter();
  const options = { merge: true, logLevel: 'silent', lineCounter: lines } as const;
  const document = yaml.parseDocument(text, options);
  const [error] = document.errors;
  // The parser reports a stack overflow as if it were a mistake in the text.
  if (error?.message.startsWith('Maximum call stack')) throw new RangeError(error.message);
  if (error) return { problem: firstLine(error.message), cure: 'correct it', line: error.linePos?.[0].line };
  try {
    return { value: document.toJS({ maxAliasCount: MOST_ALIASES }) };
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return {
      problem: firstLine((error as Error).message),
      cure: 'replace its aliases with the values that they repeat',
    };
  }
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
}
