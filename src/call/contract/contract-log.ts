import { bodyOf, type Exchange, type HttpResponse, header, isJsonType, type ResponseBody } from '../../http/index.ts';
import { MASK } from '../../redaction/index.ts';
import {
  type CallSite,
  type Differences,
  ExpectationLog,
  type SpecifiedContent,
  type SpecifiedOperation,
  type SpecifiedResponse,
  type SpecifiedValue,
} from '../../verdict/index.ts';
import { mediaType } from '../drift/drift-log.ts';

/** Maximum number of problems of one exchange that are shown; the rest is only counted. */
const MOST_SHOWN = 5;

/** Checks the exchanges of one scenario against the team's own OpenAPI document. */
export class ContractLog extends ExpectationLog {
  holdResponse(exchange: Exchange, site: CallSite): void {
    const specified = this.#specified(exchange);
    if (!specified || !exchange.response) return;
    const { broken, noted } = responseBreaches(exchange.response, specified);
    for (const text of noted) this.note('unlisted', `${exchange.operation}: ${text}`);
    if (broken.length === 0) return;
    const observed = listed(broken);
    const { file, place } = specified;
    if (!this.isNew(`${exchange.operation}: ${observed}`)) return;
    const claim = `specified: ${file} describes this response of ${place}` as const;
    this.add(exchange, { verdict: 'failed', claim, observed }, site);
  }

  /**
   * Checks a request that is valid by the specification. If the team's document forbids the request, the service isn't to blame, so this is
   * only noted.
   */
  holdRequest(exchange: Exchange): void {
    const against = this.doubt(exchange);
    if (against) this.note('sent', `${exchange.operation}: ${against}`);
  }

  /**
   * The reason why the service isn't to blame for a refusal: the team's own document forbids the request. `undefined` if the document
   * allows it.
   */
  doubt(exchange: Exchange): string | undefined {
    const specified = this.#specified(exchange);
    const breaches = specified ? requestBreaches(exchange, specified) : [];
    if (!specified || breaches.length === 0) return undefined;
    return `the request that was sent breaks ${specified.file} (${listed(breaches)}); correct the environment's test data, or the document`;
  }

  /**
   * Whether the document lists the response's status as a success without a body. Common sense expects a body from a read, but the document
   * of the team takes precedence.
   */
  allowsNoBody(exchange: Exchange): boolean {
    const { response } = exchange;
    if (!response || response.status < 200 || response.status > 299 || response.body.text !== '') return false;
    const listed = this.#specified(exchange)?.responses.get(`${response.status}`);
    return listed !== undefined && (listed.content?.size ?? 0) === 0 && !this.target.successWhen;
  }

  /**
   * Returns what the document specifies for the operation of an exchange. `undefined` if the request had another method (a spec may change
   * it), because the document describes the operation only with its own method.
   */
  #specified(exchange: Exchange): SpecifiedOperation | undefined {
    const specified = this.target.contract?.operations.get(exchange.operation);
    return specified?.place.startsWith(`${exchange.request.method} `) ? specified : undefined;
  }
}

function listed(problems: readonly string[]): string {
  const shown = [...new Set(problems)];
  const rest = shown.length - MOST_SHOWN;
  return [...shown.slice(0, MOST_SHOWN), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

export function responseBreaches(response: HttpResponse, { file, responses }: SpecifiedOperation): Differences {
  const { status } = response;
  const specified = specifiedFor(status, responses);
  if (!specified) {
    const listed = `${file} lists ${[...responses.keys()].join(', ') || 'no response'}`;
    // OpenAPI 3.1, 4.8.16: a document should list the successes and any known errors, but need not list all statuses.
    return status < 400
      ? { broken: [`status ${status}, but ${listed}`], noted: [] }
      : { broken: [], noted: [`status ${status}; ${listed}`] };
  }
  const broken = [...headerBreaches(response, specified), ...bodyBreaches(response, specified)];
  return { broken, noted: [] };
}

/** The response that the document specifies for a status. An exact status takes precedence over its range, and a range over `default`. */
export function specifiedFor<T>(status: number, responses: ReadonlyMap<string, T>): T | undefined {
  return responses.get(`${status}`) ?? responses.get(`${Math.floor(status / 100)}XX`) ?? responses.get('default');
}

function headerBreaches(response: HttpResponse, { headers }: SpecifiedResponse): string[] {
  return headers.flatMap((specified) =>
    valueBreaches(`header ${specified.name}`, header(response, specified.name.toLowerCase()), specified),
  );
}

function valueBreaches(
  what: string,
  value: string | undefined,
  { required, holds }: Pick<SpecifiedValue, 'required' | 'holds'>,
): string[] {
  if (value === undefined) return required ? [`${what} is missing`] : [];
  // A masked value isn't checked, because it differs from the value that was sent.
  return holds && !value.includes(MASK) ? holds(value).map((problem) => `${what}: ${problem}`) : [];
}

function bodyBreaches(response: HttpResponse, { content }: SpecifiedResponse): readonly string[] {
  if (!content || content.size === 0 || response.status === 204 || response.status === 304) return [];
  const { body } = response;
  const { json } = body;
  const type = mediaType(header(response, 'content-type'));
  const isEmpty = body.text === '' || (!json.ok && json.problem === 'empty');
  if (isEmpty) return [...content.values()].every((holds) => holds) ? ['there is no body'] : [];
  const specified = typeIn(content, type);
  if (!specified) return [`content type ${type ?? 'none'}, but ${[...content.keys()].join(' or ')} is specified`];
  return contentBreaches(body, type, specified, content);
}

/** The ways in which a body violates its schema. Besides JSON, only plain text can be checked against a schema. */
function contentBreaches(
  { json, text }: Pick<ResponseBody, 'json' | 'text'>,
  type: string | null,
  specified: string,
  content: SpecifiedContent,
): readonly string[] {
  const holds = content.get(specified);
  if (!holds) return [];
  if (!isJsonType(type ?? specified)) return type?.startsWith('text/plain') ? holds(text) : [];
  return json.ok ? holds(json.value) : [`the body is ${json.problem}`];
}

/**
 * The content that the document specifies for a media type: the type itself, its range (`text/*`), or the range of all types. A body
 * without a type has the document's type, if there is only one.
 */
function typeIn(content: SpecifiedContent, type: string | null): string | undefined {
  const [only] = content.size === 1 ? [...content.keys()] : [];
  const names = type === null ? [only] : [type, `${type.split('/')[0]}/*`, '*/*'];
  return names.find((name) => name !== undefined && content.has(name));
}

/** Headers that OpenAPI describes elsewhere: it ignores parameters with these names (Parameter Object). */
const describedElsewhere = new Set(['accept', 'content-type', 'authorization']);

/** The ways in which a request that was sent violates the team's document, one line each. */
export function requestBreaches({ request }: Exchange, specified: SpecifiedOperation): string[] {
  return [
    ...specified.parameters.flatMap((parameter) => parameterBreaches(request, parameter, specified)),
    ...requestBodyBreaches(request, specified),
  ];
}

function parameterBreaches(
  { url, headers }: Exchange['request'],
  parameter: SpecifiedValue,
  { place }: SpecifiedOperation,
): string[] {
  const { name } = parameter;
  if (parameter.in === 'header' && describedElsewhere.has(name.toLowerCase())) return [];
  const value = {
    header: () => headerOf(headers, name),
    query: () => new URL(url).searchParams.get(name) ?? undefined,
    path: () => pathValue(place, new URL(url).pathname, name),
  }[parameter.in]();
  // If a path parameter isn't found in the operation's path, it belongs to the server's address in the document.
  if (value === undefined && parameter.in === 'path') return [];
  return valueBreaches(`${parameter.in} parameter ${name}`, value, parameter);
}

function headerOf(headers: Exchange['request']['headers'], name: string): string | undefined {
  return Object.entries(headers).find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1];
}

/**
 * The value of a path parameter: the segment at the parameter's place in the document's path. Counts from the end of the path, because its
 * beginning may have a prefix that is not in the document.
 */
function pathValue(place: string, path: string, name: string): string | undefined {
  const template = place.slice(place.indexOf(' ') + 1).split('/');
  const fromEnd = template.length - template.indexOf(`{${name}}`);
  if (fromEnd > template.length) return undefined;
  const segment = path.split('/').at(-fromEnd);
  return segment === undefined ? undefined : decodeURIComponent(segment);
}

function requestBodyBreaches(
  { headers, body }: Exchange['request'],
  { requestBody }: SpecifiedOperation,
): readonly string[] {
  if (!requestBody) return [];
  if (body === undefined) return requestBody.required ? ['it has no body'] : [];
  const type = mediaType(headerOf(headers, 'content-type'));
  const { content } = requestBody;
  const specified = typeIn(content, type);
  if (!specified && content.size > 0)
    return [`its content type is ${type ?? 'none'}, but ${[...content.keys()].join(' or ')} is specified`];
  // A masked body isn't checked, because it differs from the body that was sent.
  if (!specified || body.includes(MASK)) return [];
  return contentBreaches(bodyOf({ bytes: body.length, text: body }), type, specified, content);
}
