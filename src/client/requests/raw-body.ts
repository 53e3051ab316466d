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

/** The same for text that need not be JSON; `contentType` null omits the header. */
export function rawText(text: string, contentType: string | null = 'application/json'): RawBody {
  return new RawBody(text, contentType ?? undefined);
}
