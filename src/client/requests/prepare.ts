import { validateRequest } from '../../../schemas/index.ts';
import { headerSets, headers, type Operation, pathParameters } from '../../spec/index.ts';
import type { PreparedRequest } from '../http/exchange.ts';
import { SpecMistake } from '../mistakes/spec-mistake.ts';
import type { ServiceUnderTest } from '../target/target.ts';
import { type Caller, headerValue } from './caller.ts';
import { RawBody } from './raw-body.ts';

/** Changes to the headers of a call: a new value, or `undefined` to remove one. */
export type HeaderChanges = ReadonlyMap<string, string | undefined>;

/**
 * Builds the request of an operation.
 * @throws SpecMistake when the body violates the documented schema and isn't a `rawBody`.
 */
export function prepare(
  operation: Operation,
  args: unknown,
  caller: Caller,
  target: ServiceUnderTest,
  changes: HeaderChanges,
): PreparedRequest {
  const { body, contentType } = bodyOf(operation, args);
  const sent: Record<string, string> = { ...operation.extraHeaders };
  const credentials = new Map<string, string>();
  if (contentType) sent['content-type'] = contentType;
  for (const name of headerSets[operation.headerSet]) {
    if (changes.has(name)) continue;
    const { masked, secret } = headerValue(caller, name);
    sent[headers[name].name] = masked;
    if (secret) credentials.set(headers[name].name, secret);
  }
  for (const [name, value] of changes) {
    const given = Object.keys(sent).find((key) => key.toLowerCase() === name);
    if (given) delete sent[given];
    if (value !== undefined) sent[name in headers ? headers[name as keyof typeof headers].name : name] = value;
  }
  return {
    method: operation.method,
    url: urlOf(operation, args, target),
    headers: sent,
    credentials,
    ...(body === undefined ? {} : { body }),
  };
}

function bodyOf(operation: Operation, args: unknown): { body?: string; contentType?: string } {
  if (args instanceof RawBody) {
    return {
      ...(args.text === undefined ? {} : { body: args.text }),
      ...(args.contentType ? { contentType: args.contentType } : {}),
    };
  }
  if (!operation.request) return {};
  const problems = validateRequest(operation.request, args);
  if (problems.length > 0) {
    const list = problems.map(({ path, message }) => `${path || '(body)'}: ${message}`).join(', ');
    throw SpecMistake.of('invalid body', { operation: operation.id, record: operation.request, problems: list });
  }
  return { body: JSON.stringify(args), contentType: 'application/json' };
}

function urlOf(operation: Operation, args: unknown, target: ServiceUnderTest): string {
  const given = (args instanceof RawBody ? {} : args) as Record<string, unknown>;
  let path: string = operation.path;
  for (const name of operation.request ? [] : pathParameters(path)) {
    const value = given?.[name];
    if (typeof value !== 'string' || value === '')
      throw SpecMistake.of('missing argument', { operation: operation.id, parameter: name });
    path = path.replace(`{${name}}`, encodeURIComponent(value));
  }
  return new URL(path.slice(1), target.addresses[operation.area]).href;
}
