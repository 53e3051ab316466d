import type { Exchange } from './exchange.ts';
import { alike, entryCount, mentions } from './search.ts';
import { exchangeLines } from './verdict/failure-message.ts';

/** What was seen in the answers of one operation to one caller: the evidence that "is not there" needs. */
export type Sightings = Set<string>;

/** A judged answer, as specs see it. */
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

  /** Refused for what was sent: a 4xx. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500;
  }

  /** The JSON value, or `undefined` when there is no body or it isn't JSON. */
  get json(): unknown {
    const json = this.exchange.response?.body.json;
    return json?.ok ? json.value : undefined;
  }

  get text(): string {
    return this.exchange.response?.body.text ?? '';
  }

  /** Entries of the first list in the answer. */
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
   * Whether the absence of `id` proves anything: this run saw it in this operation's answers before, or this very
   * answer was seen to mention something else. An empty list alone proves nothing.
   */
  provesAbsenceOf(id: string): boolean {
    return this.#sawSomething || this.#earlier.has(id);
  }

  /** The values that stand where `known` stands. */
  alike(known: string): string[] {
    return alike(this.json, known);
  }

  /** The lines of a failure message: what was observed first, then what was asked and answered. */
  explain(observed: string): string {
    return `${observed}\n${exchangeLines(this.exchange).join('\n')}`;
  }
}
