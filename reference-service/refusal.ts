/** Thrown to reject a request. The server turns it into the common error body. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  /** Faults and readings use the defaults for code and message, which differ from the texts of the service's own refusals. */
  constructor(
    status: number,
    code = 'refused',
    message = 'not like this',
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}
