/** A rejected request; it becomes the common error body. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  /** Faults and readings pass neither code nor message. These defaults differ from the texts of any other refusal. */
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
