import { counted } from '../../environment/sentence-parts.ts';
import { decoded, parsedJson } from '../../http/index.ts';
import {
  areas,
  headers,
  namedArguments,
  type Operation,
  operationIds,
  operation as operationOf,
  readProfile,
  requestFields,
} from '../../service/index.ts';
import { Found, LeftOut, type SeenRequest, type Variable, variable } from './document.ts';

/**
 * Finds addresses, headers and test data in requests; `resolve` replaces variables. If the requests contain different values for a key,
 * takes the first value, and reports how many others there are.
 */
export function requestVariables(requests: readonly SeenRequest[], resolve: Resolve) {
  const valuesByVariable = new Map<string, Set<string>>();
  const leftOut = new LeftOut();
  const add = (key: string, value: string) => {
    if (value !== '') valuesByVariable.set(key, (valuesByVariable.get(key) ?? new Set()).add(value));
  };
  for (const request of requests) {
    const resolved = (text: string) => resolve(text, request.variables);
    const url = resolved(request.url);
    const matched = matchedOperation(request.method, url);
    const profile = matched ? undefined : profileRead(request.method, request.url);
    const name = request.line === undefined ? `${request.method} ${pathOf(url)}` : `line ${request.line}`;
    if (matched) {
      add(areas[matched.operation.area].addressKey, matched.base);
      for (const [key, value] of dataOf(matched, bodyOf(matched, request, resolved, leftOut))) {
        const [unknown] = /\{\{[^{}]+\}\}/.exec(value) ?? [];
        if (isValue(value)) add(key, value);
        else if (unknown) leftOut.add('test data from variables that no given file defines', `${key}: ${unknown}`);
      }
      for (const [, query] of url.replace(/#.*$/s, '').matchAll(/[?&]([^=&]+)(?==)/g))
        leftOut.add('query parameters', query ?? '');
    } else if (profile !== undefined) {
      add('FRIEND_PROFILE_REQUEST', PROFILE_READ);
      add(areas[readProfile.area].addressKey, resolved(profile));
    } else leftOut.add('requests for none of the operations', name);
    for (const [header, value] of request.headers) {
      const lower = header.toLowerCase();
      if (!Object.hasOwn(headers, lower)) {
        leftOut.add('headers of no header set', lower);
        continue;
      }
      const { key } = headers[lower as keyof typeof headers];
      const text = withoutScheme(key, resolved(value));
      if (text === undefined) leftOut.add('headers of another scheme than bearer', lower);
      else add(key, text);
    }
  }
  return {
    variables: [...valuesByVariable].flatMap(([key, [first = '']]) => variable(key, first)),
    ignored: [
      ...[...valuesByVariable].flatMap(([key, values]) =>
        values.size > 1
          ? [`${counted(values.size - 1, 'other value')} of ${key}: requests differ, and the first was taken`]
          : [],
      ),
      ...leftOut.lines,
    ],
  };
}

/** Replaces variables in a text by their values. Variables of `own` take precedence. */
export type Resolve = (text: string, own?: readonly Variable[]) => string;

const patterns = operationIds.map((id) => {
  const operation: Operation = operationOf(id);
  const path = operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return { operation, pattern: new RegExp(`^(?<base>.*?)${path}$`) };
});

/** The operation whose path is at the end of an address, and the base address, which is the part before this path. */
export function matchedOperation(method: string, url: string) {
  const plain = url.replace(/[?#].*$/s, '').replace(/(?<!\/)\/+$/, '');
  for (const { operation, pattern } of patterns) {
    const groups = operation.method === method.toUpperCase() ? pattern.exec(plain)?.groups : undefined;
    if (groups) return { operation, base: groups.base ?? '', parameters: groups };
  }
  return undefined;
}

/** The usual request for reading a profile. The specification doesn't contain one. */
const PROFILE_READ = 'GET /v1/profile/{userId}';

/**
 * The base address of a request that reads a profile. The id in the path must be a parameter: a fixed segment may be something else than an
 * id, as in `/v1/profile/settings`.
 */
export function profileRead(method: string, url: string): string | undefined {
  const segment = /^(.*?)\/v1\/profile\/(?:\{\w+\}|\{\{[^{}]+\}\}|:\w+)\/?$/;
  return method.toUpperCase() === 'GET' ? segment.exec(url.replace(/[?#].*$/s, ''))?.[1] : undefined;
}

type Matched = NonNullable<ReturnType<typeof matchedOperation>>;

/**
 * Parses a request's body, if its operation has one. Comments, which some tools allow in a body, are removed. A body that isn't JSON is reported as
 * left out.
 */
function bodyOf(
  { operation }: Matched,
  { body, method }: SeenRequest,
  resolved: (text: string) => string,
  leftOut: LeftOut,
) {
  if (body === undefined || requestFields(operation).length === 0) return new Found(undefined);
  const sent = new Found(parsedJson(withoutComments(resolved(body))));
  if (!sent.isThere) leftOut.add('bodies that are not JSON', `${method} ${operation.path}`);
  return sent;
}

function withoutComments(text: string): string {
  return text.replace(/("(?:\\.|[^"\\])*"?)|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/gs, (_, quoted = '') => quoted);
}

function* dataOf({ operation, parameters }: Matched, sent: Found): Generator<readonly [key: string, value: string]> {
  const { n1, n2, language } = parameters;
  if (n1 && n2 && /^\d+\/\d+$/.test(`${n1}/${n2}`)) yield ['BLOCK_LIST_SEGMENTS', `${n1}/${n2}`];
  if (language) yield ['REPORT_LANGUAGE', decoded(language)];
  const fields = requestFields(operation);
  // Take ids only from bodies. An id in a path may belong to an item that the request deletes, and the import must never take such an id.
  for (const [field, { key }] of Object.entries(namedArguments)) {
    if (fields.includes(field)) yield [key, sent.at(field).text];
  }
}

/** Whether a text is a real value. False for a text with a variable that the file doesn't define: `{{x}}`, `:x`, `{x}`. */
function isValue(text: string): boolean {
  return text !== '' && !/[{}]|^:/.test(text);
}

/** Removes the word `bearer` from a token. Returns `undefined` for other schemes, such as Basic. */
function withoutScheme(key: string, value: string): string | undefined {
  const text = value.trim();
  if (key !== 'ACCESS_TOKEN' || !/\s|^bearer$/i.test(text)) return text;
  return /^bearer\b/i.test(text) ? text.slice('bearer'.length).trim() : undefined;
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/^[a-z]+:\/\/[^/]*/i, '') || '/';
}
