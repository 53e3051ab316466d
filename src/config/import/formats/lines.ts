import { parseVariables } from '../../parse-variables.ts';
import { variable } from '../variable.ts';
import type { Format } from './format.ts';

/** A file of KEY=value lines, as applications have them. Last in the list: many a text has a line that looks like one. */
export const lines: Format = {
  kind: 'KEY=value lines (.env)',
  read: ({ text, looksLikeJson }) => {
    // Of YAML, dotenv would read the lines with a colon.
    if (looksLikeJson || !/^\s*(export\s+)?[\w.-]+\s*=/m.test(text)) return undefined;
    const entries = Object.entries(parseVariables(text));
    if (entries.length === 0) return undefined;
    return { variables: entries.map(([key, value]) => variable(key, value)), requests: [] };
  },
};
