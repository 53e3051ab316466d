import { mediaType } from '../drift/drift.ts';
import type { Exchange } from '../http/exchange.ts';
import { MASK } from '../redaction/secret.ts';
import type { SpecifiedOperation, SpecifiedValue } from '../target/contract.ts';
import { entryFor } from './response-breaches.ts';

/** Headers that OpenAPI describes elsewhere, so that a parameter of their name says nothing (Parameter Object). */
const describedElsewhere = new Set(['accept', 'content-type', 'authorization']);

/** What the team's document has against a request that was sent, one line each. */
export function requestBreaches({ request }: Exchange, specified: SpecifiedOperation): string[] {
  return [
    ...specified.parameters.flatMap((parameter) => parameterBreaches(request, parameter, specified)),
    ...bodyBreaches(request, specified),
  ];
}

function parameterBreaches(
  { url, headers }: Exchange['request'],
  parameter: SpecifiedValue,
  { place }: SpecifiedOperation,
): string[] {
  const { name, required, holds } = parameter;
  if (parameter.in === 'header' && describedElsewhere.has(name.toLowerCase())) return [];
  const value = {
    header: () => Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1],
    query: () => new URL(url).searchParams.get(name) ?? undefined,
    path: () => pathValue(place, new URL(url).pathname, name),
  }[parameter.in]();
  const what = `${parameter.in} parameter ${name}`;
  // A parameter of the path that isn't found there belongs to the document's server.
  if (value === undefined) return required && parameter.in !== 'path' ? [`${what} is missing`] : [];
  if (!holds || value.includes(MASK)) return [];
  return holds(value).map((problem) => `${what}: ${problem}`);
}

/** The value of a path parameter: the segment that stands as far from the path's end as in the document. */
function pathValue(place: string, path: string, name: string): string | undefined {
  const template = place.slice(place.indexOf(' ') + 1).split('/');
  const fromEnd = template.length - template.indexOf(`{${name}}`);
  if (fromEnd > template.length) return undefined;
  const segment = path.split('/').at(-fromEnd);
  return segment === undefined ? undefined : decodeURIComponent(segment);
}

function bodyBreaches({ headers, body }: Exchange['request'], { requestBody }: SpecifiedOperation): readonly string[] {
  if (!requestBody) return [];
  if (body === undefined) return requestBody.required ? ['it has no body'] : [];
  const given = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const type = mediaType(given);
  const entry = entryFor(type, requestBody.content);
  if (!entry)
    return requestBody.content.size === 0
      ? []
      : [`its content type is ${type ?? 'none'}, but ${[...requestBody.content.keys()].join(' or ')} is specified`];
  const [, holds] = entry;
  // A masked body is no longer what was sent.
  if (!holds || body.includes(MASK)) return [];
  return holds(JSON.parse(body));
}
