import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

interface Encoded {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Smaller bodies gain nothing. */
const LEAST_BYTES = 1_000;

/** Levels that take a millisecond for 100 kB, in a thread of their own. */
const codings = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 4 }),
} as const;

type Coding = keyof typeof codings;

/** The body as the client accepts it. */
export async function encoded(body: Buffer, type = '', accepted = ''): Promise<Encoded> {
  if (body.length < LEAST_BYTES || !isCompressible(type)) return { body, headers: {} };
  const coding = codingOf(accepted);
  const vary = { vary: 'accept-encoding' };
  if (!coding) return { body, headers: vary };
  return { body: await codings[coding](body), headers: { ...vary, 'content-encoding': coding } };
}

/** The best coding of an `Accept-Encoding`, if any; RFC 9110, section 12.5.3. */
export function codingOf(accepted: string): Coding | undefined {
  const weights = new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight)] as const;
    }),
  );
  return (['br', 'gzip'] as const).find((name) => (weights.get(name) ?? weights.get('*') ?? 0) > 0);
}

function isCompressible(type: string): boolean {
  return /^(text\/|application\/(json|atom\+xml)|image\/svg\+xml)/.test(type);
}
