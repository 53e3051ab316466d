import { decoded, parsedJson } from '../../client/index.ts';
import {
  areas,
  headers,
  namedArguments,
  type Operation,
  operationIds,
  operation as operationOf,
  requestFields,
} from '../../spec/index.ts';
import { counted } from '../words.ts';
import { Found, type SeenRequest, variable } from './document.ts';

const MOST_NAMED = 5;

/** The addresses, headers and test data in requests; `resolve` puts variables in. What differs from request to request is named. */
export function requestVariables(requests: readonly SeenRequest[], resolve: (text: string) => string) {
  const found = new Map<string, Set<string>>();
  const unmatched: string[] = [];
  const otherHeaders = new Set<string>();
  const add = (key: string, value: string) => {
    if (value !== '') found.set(key, (found.get(key) ?? new Set()).add(value));
  };
  for (const request of requests) {
    const url = resolve(request.url);
    const matched = matchedOperation(request.method, url);
    if (matched) {
      add(areas[matched.operation.area].addressKey, matched.base);
      for (const [key, value] of dataOf(matched, request, resolve)) add(key, value);
    } else unmatched.push(`${request.method} ${pathOf(url)}`);
    for (const [name, value] of request.headers) {
      const lower = name.toLowerCase();
      if (Object.hasOwn(headers, lower)) {
        const { key } = headers[lower as keyof typeof headers];
        add(key, withoutScheme(key, resolve(value)));
      } else otherHeaders.add(lower);
    }
  }
  return {
    variables: [...found].flatMap(([key, [first = '']]) => variable(key, first)),
    ignored: [
      ...[...found].flatMap(([key, values]) =>
        values.size > 1
          ? [`${counted(values.size - 1, 'other value')} of ${key}: requests differ, and the first was taken`]
          : [],
      ),
      ...(unmatched.length > 0
        ? [`${counted(unmatched.length, 'request')} for none of the operations: ${named(unmatched)}`]
        : []),
      ...(otherHeaders.size > 0 ? [`headers of no header set: ${named([...otherHeaders], 30)}`] : []),
    ],
  };
}

const patterns = operationIds.map((id) => {
  const operation: Operation = operationOf(id);
  const path = operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return { operation, pattern: new RegExp(`^(?<base>.*?)${path}$`) };
});

/** The operation whose path ends an address, with what stands before it. */
export function matchedOperation(method: string, url: string) {
  const plain = url.replace(/[?#].*$/s, '').replace(/(?<!\/)\/+$/, '');
  for (const { operation, pattern } of patterns) {
    const groups = operation.method === method.toUpperCase() ? pattern.exec(plain)?.groups : undefined;
    if (groups) return { operation, base: groups.base ?? '', parameters: groups };
  }
  return undefined;
}

function* dataOf(
  { operation, parameters }: NonNullable<ReturnType<typeof matchedOperation>>,
  { body }: SeenRequest,
  resolve: (text: string) => string,
): Generator<readonly [key: string, value: string]> {
  const { n1, n2, language } = parameters;
  if (n1 && n2 && /^\d+\/\d+$/.test(`${n1}/${n2}`)) yield ['BLOCK_LIST_SEGMENTS', `${n1}/${n2}`];
  if (language && isValue(language)) yield ['REPORT_LANGUAGE', decoded(language)];
  const fields = requestFields(operation);
  const sent = new Found(parsedJson(resolve(body ?? '')));
  // Ids of items to delete stand in paths, and are never taken from requests.
  for (const [field, { key }] of Object.entries(namedArguments)) {
    const value = fields.includes(field) ? sent.at(field).text : '';
    if (isValue(value)) yield [key, value];
  }
}

/** Not a variable that the file doesn't define: `{{x}}`, `:x`, `{x}`. */
function isValue(text: string): boolean {
  return text !== '' && !/[{}]|^:/.test(text);
}

/** A token of another scheme, such as Basic, isn't a bearer token. */
function withoutScheme(key: string, value: string): string {
  const text = value.trim();
  if (key !== 'ACCESS_TOKEN' || !/\s|^bearer$/i.test(text)) return text;
  return /^bearer\b/i.test(text) ? text.slice('bearer'.length).trim() : '';
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/^[a-z]+:\/\/[^/]*/i, '') || '/';
}

function named(names: readonly string[], most = MOST_NAMED): string {
  const shown = [...new Set(names)];
  const rest = shown.length - most;
  return `${shown
    .slice(0, most)
    .map((name) => name.slice(0, 80))
    .join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
