import { validateRequest } from '../../../schemas/index.ts';
import type { PreparedRequest } from '../../http/index.ts';
import type { Secret } from '../../redaction/index.ts';
import { type HeaderName, headerSets, headers, type Operation, pathParameters } from '../../service/index.ts';
import { type ServiceUnderTest, SpecMistake, SuiteFault } from '../../verdict/index.ts';
import type { IssuedSecret } from '../credentials/issued-secret.ts';

/** Changes to the headers of a call: a new value, or `undefined` to remove one. */
export type HeaderChanges = ReadonlyMap<string, string | undefined>;

/**
 * Checks the arguments of a call. @throws SpecMistake if the body violates the documented schema and is no `rawBody`, or if a part of the path is
 * missing.
 */
export function assertArguments({ id, request, path }: Operation, args: unknown): void {
  if (['string', 'number'].includes(typeof args)) {
    const fields = pathParameters(path).map((name) => `${name}: …`);
    throw new SpecMistake(
      `${id} was not sent: it needs an object, and got a ${typeof args}; write ${id}({ ${fields.join(', ') || '…'} })`,
    );
  }
  if (!request) {
    const given = (args instanceof RawBody ? {} : (args ?? {})) as Record<string, unknown>;
    // A URL drops a `.` and resolves `..` to the folder above, encoded or not, so deleting `.` could delete everything.
    const isLost = (value: unknown) => typeof value !== 'string' || ['', '.', '..'].includes(value);
    const parameter = pathParameters(path).find((name) => isLost(given[name]));
    if (parameter)
      throw new SpecMistake(
        `${id} was not sent: its path needs a value for ${parameter}; pass a text that is not empty, \`.\` or \`..\``,
      );
    return;
  }
  if (args instanceof RawBody) return;
  const problems = validateRequest(request, args).map(({ path, message }) => `${path || '(body)'}: ${message}`);
  if (problems.length > 0)
    throw new SpecMistake(
      `${id} was not sent: its body violates the documented request schema (${request}): ${problems.join(', ')}; correct it, or send it on purpose with rawBody(…)`,
    );
}

/** Builds the request of an operation whose arguments were checked. */
export function prepare(
  operation: Operation,
  args: unknown,
  caller: Caller,
  target: ServiceUnderTest,
  changes: HeaderChanges,
): PreparedRequest {
  const raw = args instanceof RawBody ? args : operation.request && rawBody(args);
  const ofSet: Record<string, string> = {};
  const credentials = new Map<string, string>();
  for (const name of headerSets[operation.headerSet]) {
    if (changes.has(name)) continue;
    const { masked, secret } = headerValue(caller, name);
    ofSet[headers[name].name] = masked;
    if (secret) credentials.set(headers[name].name, secret);
  }
  const type = raw?.contentType ? { 'content-type': raw.contentType } : {};
  const sent: Record<string, string> = { ...operation.extraHeaders, ...type, ...ofSet };
  for (const [name, value] of changes) {
    const given = Object.keys(sent).find((key) => key.toLowerCase() === name);
    if (given) delete sent[given];
    if (value !== undefined) sent[name in headers ? headers[name as keyof typeof headers].name : name] = value;
  }
  return {
    method: operation.method,
    url: urlOf(operation, args, target),
    headers: sent,
    ofSet,
    credentials,
    ...(raw?.text === undefined ? {} : { body: raw.text }),
  };
}

function urlOf({ request, path, area }: Operation, args: unknown, target: ServiceUnderTest): string {
  const given = args as Readonly<Record<string, string>>;
  const names = request ? [] : pathParameters(path);
  const filled = names.reduce((text, name) => text.replace(`{${name}}`, encodeURIComponent(given[name] ?? '')), path);
  return new URL(filled.slice(1), target.addresses[area]).href;
}

export type Credential = Secret | IssuedSecret;

/** The caller: the source of the header values of the three header sets. */
export interface Caller {
  readonly clientId: string;
  readonly userId: string;
  readonly accessToken?: Credential;
  /** The scheme word before the token, if it isn't the specification's `bearer`. */
  readonly scheme?: string;
  readonly apiKey?: Credential;
  readonly app: Readonly<Record<`app-${'bundle' | 'ver' | 'platform' | 'lang' | 'env'}`, string>>;
}

class MissingCredential extends SuiteFault {
  override readonly name = 'MissingCredential';
}

/** The value of a header for a caller. `Authorization` is `bearer <token>` (specification, part 5). */
export function headerValue(caller: Caller, name: HeaderName): { readonly masked: string; readonly secret?: string } {
  switch (name) {
    case 'authorization':
      return credential(caller.accessToken, 'ACCESS_TOKEN', `${caller.scheme ?? 'bearer'} `);
    case 'mm-api-key':
      return credential(caller.apiKey, 'API_KEY', '');
    case 'mm-client-id':
      return { masked: caller.clientId };
    case 'mm-user-id':
      return { masked: caller.userId };
    default:
      return { masked: caller.app[name] };
  }
}

function credential(secret: Credential | undefined, key: string, scheme: string) {
  if (!secret) throw new MissingCredential(`${key} is not set`);
  return { masked: `${scheme}${secret}`, secret: scheme + secret.reveal() };
}

/** A request body that is sent although it violates the documented schema, or isn't JSON. */
export class RawBody {
  readonly text: string | undefined;
  readonly contentType: string | undefined;

  constructor(text: string | undefined, contentType: string | undefined) {
    this.text = text;
    this.contentType = contentType;
  }
}

/** Sends `body` unchanged, without checking the documented schema. */
export function rawBody(body: unknown): RawBody {
  return new RawBody(JSON.stringify(body), 'application/json');
}

/** Sends `text`, which need not be JSON, as the body. If `contentType` is null, the header is omitted. */
export function rawText(text: string, contentType: string | null = 'application/json'): RawBody {
  return new RawBody(text, contentType ?? undefined);
}
