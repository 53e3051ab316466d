import type {
  Conformance,
  SpecifiedContent,
  SpecifiedOperation,
  SpecifiedResponse,
  SpecifiedValue,
} from '../../client/index.ts';
import { byMediaType, type ListedOperation, type LoadedDocument } from './loaded-document.ts';
import type { Place } from './place.ts';
import type { Direction } from './schema-book.ts';

/** What the document specifies of an operation. @throws DocumentTrouble */
export function specifiedOperation(
  { method, path, item, operation }: ListedOperation,
  document: LoadedDocument,
): SpecifiedOperation {
  const { name: file } = document;
  const found = operation
    .at('responses')
    .entries()
    .filter(([name]) => !name.startsWith('x-'));
  const responses = found.map(([status, response]): [string, SpecifiedResponse] => [
    statusOf(status, response),
    responseOf(response.followed(), document),
  ]);
  const body = operation.at('requestBody').followed();
  const required = body.at('required').value === true;
  return {
    file,
    place: `${method} ${path}`,
    parameters: parametersOf(item, operation, document),
    ...(body.value === undefined ? {} : { requestBody: { required, content: contentOf(body, 'request', document) } }),
    responses: new Map(responses),
  };
}

function statusOf(status: string, response: Place): string {
  const name = status.toUpperCase();
  if (/^[1-5](\d\d|XX)$/.test(name)) return name;
  if (status === 'default') return status;
  throw response.trouble('is no status; expected e.g. 200, 4XX or default');
}

function responseOf(response: Place, document: LoadedDocument): SpecifiedResponse {
  const headers = response
    .at('headers')
    .entries()
    // OpenAPI ignores this one (Response Object).
    .filter(([name]) => name.toLowerCase() !== 'content-type')
    .map(([name, header]) => specifiedValue({ name, in: 'header' }, header.followed(), 'response', document));
  const isDescribed = response.at('content').value !== undefined;
  return { headers, ...(isDescribed ? { content: contentOf(response, 'response', document) } : {}) };
}

function contentOf(place: Place, direction: Direction, document: LoadedDocument): SpecifiedContent {
  return byMediaType(place.at('content'), (schema) => held(schema, direction, document));
}

/** Schemas are compiled when all have been added. */
function held(schema: Place, direction: Direction, document: LoadedDocument): Conformance {
  const index = document.books[direction].add(schema);
  return (value) => document.compiled(direction).conformance(index)(value);
}

/** Those of the path, with those of the operation in place of the ones of the same name and place. */
function parametersOf(item: Place, operation: Place, document: LoadedDocument): SpecifiedValue[] {
  const all = new Map<string, SpecifiedValue>();
  for (const place of [item, operation])
    for (const found of place.at('parameters').members()) {
      const parameter = found.followed();
      const { name, in: where } = (parameter.value ?? {}) as { name?: unknown; in?: unknown };
      // Sextant sends no cookies.
      if (typeof name !== 'string' || (where !== 'header' && where !== 'path' && where !== 'query')) continue;
      all.set(`${where} ${name}`, specifiedValue({ name, in: where }, parameter, 'request', document));
    }
  return [...all.values()];
}

function specifiedValue(
  named: Pick<SpecifiedValue, 'name' | 'in'>,
  place: Place,
  direction: Direction,
  document: LoadedDocument,
): SpecifiedValue {
  const schema = place.at('schema');
  const required = place.at('required').value === true;
  if (schema.value === undefined) return { ...named, required };
  return { ...named, required, holds: textConformance(held(schema, direction, document)) };
}

/**
 * Holds the text of a header or parameter to a schema: it conforms as the text that it is, or as the number, boolean or list (style
 * `simple`) that it spells.
 */
export function textConformance(holds: Conformance): Conformance {
  return (value) => {
    const asText = holds(value);
    if (asText.length === 0 || typeof value !== 'string') return asText.map(inWords);
    const scalars = value.split(',').map(scalar);
    const spelled = [scalar(value), scalars, value.split(',')];
    if (spelled.some((each) => holds(each).length === 0)) return [];
    const [first = value] = spelled;
    return (typeof first === 'string' ? asText : holds(first)).map(inWords);
  };
}

function scalar(text: string): unknown {
  return /^(-?\d+(\.\d+)?([eE][+-]?\d+)?|true|false)$/.test(text)
    ? JSON.parse(text.replace(/^(-?)0+(?=\d)/, '$1'))
    : text;
}

function inWords(problem: string): string {
  return problem.replace(/^the body/, 'the value');
}
