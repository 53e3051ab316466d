/** A request body that is sent although it breaks the documented schema, or isn't JSON at all. */
export class RawBody {
  readonly text: string | undefined;
  readonly contentType: string | undefined;

  constructor(text: string | undefined, contentType: string | undefined) {
    this.text = text;
    this.contentType = contentType;
  }
}

/** Says in words that `body` is meant to be sent as it is, whatever the documented schema says of it. */
export function rawBody(body: unknown): RawBody {
  return new RawBody(JSON.stringify(body), 'application/json');
}

/** The same for a text that need not be JSON; `contentType` null leaves the header out. */
export function rawText(text: string, contentType: string | null = 'application/json'): RawBody {
  return new RawBody(text, contentType ?? undefined);
}
