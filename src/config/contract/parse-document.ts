import { parseYaml } from '../yaml.ts';
import { DocumentTrouble } from './document-trouble.ts';

/** The value of a JSON or YAML text; `name` is its file, for messages. @throws DocumentTrouble */
export function parseDocument(text: string, name: string): unknown {
  try {
    return parseJson(text) ?? ofYaml(text, name);
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

function ofYaml(text: string, name: string): unknown {
  const parsed = parseYaml(text);
  if ('value' in parsed) return parsed.value;
  const { problem, cure, line } = parsed;
  throw new DocumentTrouble(line === undefined ? name : `${name} line ${line}`, `${problem}; ${cure}`);
}
