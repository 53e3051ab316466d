import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { redact } from '../client/index.ts';

/** A body that any number of responses can share: secrets are removed once, and it is compressed once for each coding. */
export class SharedBody {
  readonly #bytes: Buffer;
  readonly #encoded = new Map<Coding, Promise<Buffer>>();

  constructor(body: string | Buffer) {
    this.#bytes = Buffer.isBuffer(body) ? body : Buffer.from(redact(body));
  }

  /** The body as a client accepts it, and the headers that describe it. */
  async for(type = '', accepted = '') {
    const body = this.#bytes;
    if (!isWorthCompressing(body, type)) return { body, headers: {} };
    const vary = { vary: 'accept-encoding' };
    const coding = codingOf(accepted);
    if (!coding) return { body, headers: vary };
    const compressing = this.#encoded.get(coding) ?? codings[coding](body);
    this.#encoded.set(coding, compressing);
    return { body: await compressing, headers: { ...vary, 'content-encoding': coding } };
  }
}

/** Smaller bodies gain nothing. */
const LEAST_BYTES = 1_000;

/** Levels that take a millisecond for 100 kB, in a thread of their own. */
const codings = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 4 }),
} as const;

type Coding = keyof typeof codings;

/** Whether a body is text, and long enough. */
function isWorthCompressing(body: Buffer, type: string): boolean {
  return body.length >= LEAST_BYTES && /^(text\/|application\/(json|atom\+xml)|image\/svg\+xml)/.test(type);
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
