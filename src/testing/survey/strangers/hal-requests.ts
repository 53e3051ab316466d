import { type Incoming, isRecord, parse } from './serve.ts';

/** A rejection. */
export class HttpError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Users by their token. */
export const principals = new Map([
  ['bm9yYXxzZXNzaW9u', 'auth0|nora'],
  ['b3R0b3xzZXNzaW9u', 'auth0|otto'],
]);

/** The user of a token. @throws HttpError */
export function principal({ headers }: Incoming): string {
  const [, token = ''] = /^bearer\s+(\S+)$/i.exec(headers['authorization'] ?? '') ?? [];
  const user = principals.get(token);
  if (!user) throw new HttpError(401, 'Full authentication is required');
  if (!headers['mm-client-id']) throw new HttpError(400, "Required header 'mm-client-id' is not present");
  if (!headers['mm-user-id']) throw new HttpError(400, "Required header 'mm-user-id' is not present");
  if (headers['mm-user-id'] !== user) throw new HttpError(403, 'Access is denied');
  return user;
}

/** @throws HttpError if the key or a header isn't the client's. */
export function apiClient({ headers }: Incoming, names: readonly string[]): void {
  for (const name of ['mm-client-id', ...names])
    if (!headers[name]) throw new HttpError(400, `Required header '${name}' is not present`);
  if (!headers['mm-api-key']) throw new HttpError(401, 'Full authentication is required');
  if (headers['mm-api-key'] !== 'hal-0123456789') throw new HttpError(401, 'Bad API key');
}

type Schema = Readonly<Record<string, 'text' | 'text?' | 'list' | 'list?' | 'flag?' | 'whole?' | 'map?'>>;

/** The body, checked against its schema. @throws HttpError */
export function read({ text, headers }: Incoming, schema: Schema): Record<string, unknown> {
  if (headers['content-type'] && !/\bjson\b/.test(headers['content-type']))
    throw new HttpError(415, 'Content type not supported');
  const body = parse(text);
  if (!isRecord(body)) throw new HttpError(400, 'JSON parse error');
  for (const [name, kind] of Object.entries(schema)) {
    const value = body[name];
    const isFine =
      value === undefined || value === null
        ? kind.endsWith('?')
        : kind.startsWith('text')
          ? ['string', 'number', 'boolean'].includes(typeof value) && String(value).trim() !== ''
          : kind.startsWith('list')
            ? Array.isArray(value)
            : kind.startsWith('whole')
              ? Number.isInteger(Number(value))
              : kind.startsWith('flag')
                ? typeof value === 'boolean'
                : isRecord(value);
    if (!isFine) throw new HttpError(400, `Validation failed: ${name}`);
  }
  return body;
}
