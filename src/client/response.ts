import type { Exchange } from './exchange.ts';
import { alike, entryCount, mentions } from './search.ts';
import { exchangeLines } from './verdict/failure-message.ts';

/** Ids seen in the responses of one operation to one caller: the evidence needed for "is not there". */
export type Sightings = Set<string>;

/** A judged response, as specs see it. */
export class ApiResponse {
  readonly exchange: Exchange;
  readonly #earlier: Sightings;
  #sawSomething = false;

  constructor(exchange: Exchange, earlier: Sightings) {
    this.exchange = exchange;
    this.#earlier = earlier;
  }

  get status(): number {
    return this.exchange.response?.status ?? 0;
  }

  /** Whether the request was rejected: a 4xx. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500;
  }

  /** The JSON value; `undefined` if there is no JSON body. */
  get json(): unknown {
    const json = this.exchange.response?.body.json;
    return json?.ok ? json.value : undefined;
  }

  get text(): string {
    return this.exchange.response?.body.text ?? '';
  }

  /** Number of entries of the first list in the response. */
  get entries(): number | undefined {
    return entryCount(this.json);
  }

  mentions(id: string): boolean {
    const found = mentions(this.json, id);
    if (found) {
      this.#earlier.add(id);
      this.#sawSomething = true;
    }
    return found;
  }

  /**
   * Whether the absence of `id` proves anything: this run saw it in this operation's responses before, or this
   * response mentions another known id. An empty list alone proves nothing.
   */
  provesAbsenceOf(id: string): boolean {
    return this.#sawSomething || this.#earlier.has(id);
  }

  /** The values in the same place as `known`. */
  alike(known: string): string[] {
    return alike(this.json, known);
  }

  /** The lines of a failure message: the observation first, then the request and response. */
  explain(observed: string): string {
    return `${observed}\n${exchangeLines(this.exchange).join('\n')}`;
  }
}
