import { parseVariables } from '../../files/parse-variables.ts';
import { variable } from '../variable.ts';
import type { Format } from './format.ts';

/** A file of KEY=value lines, as applications have them. Last in the list: many a text has a line that looks like one. */
export const lines: Format = {
  kind: 'KEY=value lines (.env)',
  read: ({ text, looksLikeJson }) => {
    if (looksLikeJson) return undefined;
    // dotenv takes `key: value` as well, and so half of any YAML, such as `openapi: 3.1.0`.
    const named = new Set(Array.from(text.matchAll(/^\s*(?:export\s+)?([\w.-]+)\s*=/gm), ([, key]) => key));
    const entries = Object.entries(parseVariables(text)).filter(([key]) => named.has(key));
    if (entries.length === 0) return undefined;
    return { variables: entries.map(([key, value]) => variable(key, value)), requests: [] };
  },
};
