import { redact } from '../client/index.ts';
import { type Coding, codingOf, encoded, isWorthCompressing } from './compression.ts';
import { turn } from './turn.ts';

/** Bytes that are ready to be sent, and the headers that describe them. */
export interface Encoded {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A body that any number of responses can share: secrets are removed once, and it is compressed once for each coding. */
export class SharedBody {
  readonly #bytes: Promise<Buffer>;
  readonly #encoded = new Map<Coding, Promise<Buffer>>();

  /** A text may come in pieces of bounded size, so that nothing waits long for the whole. */
  constructor(body: string | Buffer | readonly string[]) {
    this.#bytes = bytesOf(body);
    // Whoever sends it hears of a failure.
    this.#bytes.catch(() => {});
  }

  /** The body as a client accepts it. */
  async for(type = '', accepted = ''): Promise<Encoded> {
    const body = await this.#bytes;
    if (!isWorthCompressing(body, type)) return { body, headers: {} };
    const vary = { vary: 'accept-encoding' };
    const coding = codingOf(accepted);
    if (!coding) return { body, headers: vary };
    const compressing = this.#encoded.get(coding) ?? encoded(body, coding);
    this.#encoded.set(coding, compressing);
    return { body: await compressing, headers: { ...vary, 'content-encoding': coding } };
  }
}

/** The body without secrets; other requests are served between two pieces. */
async function bytesOf(body: string | Buffer | readonly string[]): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === 'string') return Buffer.from(redact(body));
  const pieces: Buffer[] = [];
  for (const piece of body) {
    await turn();
    pieces.push(Buffer.from(redact(piece)));
  }
  return Buffer.concat(pieces);
}
