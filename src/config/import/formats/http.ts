import { parseVariables } from '../../files/parse-variables.ts';
import { type Format, type SeenRequest, variable } from '../document.ts';

const REQUEST = /^(GET|POST|PUT|PATCH|DELETE|OPTIONS|HEAD) (\S+)/;

/** A file of an editor's HTTP client: `@name = value`, then requests apart by `###`. `sextant export` writes it. */
export const http: Format = {
  kind: "an editor's .http file",
  read: ({ text }) => {
    const [head = '', ...parts] = text.split(/^###.*$/m);
    const requests = parts.flatMap(requestIn);
    if (requests.length === 0) return undefined;
    const variables = [...head.matchAll(/^@([\w.-]+)[ \t]*=[ \t]*(.*)$/gm)];
    return { variables: variables.map(([, name = '', value = '']) => variable(name, value.trim())), requests };
  },
};

function requestIn(part: string): SeenRequest[] {
  const lines = part.split(/\r?\n/).filter((line) => !/^\s*(#|\/\/)/.test(line));
  const at = lines.findIndex((line) => REQUEST.test(line));
  const [, method, url] = REQUEST.exec(lines[at] ?? '') ?? [];
  if (!method || !url) return [];
  const end = lines.findIndex((line, index) => index > at && line.trim() === '');
  const headers = lines.slice(at + 1, end < 0 ? undefined : end).flatMap((line): [string, string][] => {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value ?? '']];
  });
  const body = end < 0 ? '' : lines.slice(end).join('\n').trim();
  return [{ method, url, headers, body: body || undefined }];
}

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
