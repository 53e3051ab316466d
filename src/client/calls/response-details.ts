import type { Exchange } from '../http/exchange.ts';
import { entryCount, mentions } from '../json/search.ts';
import type { SuccessRule } from '../target/target.ts';
import { exchangeLines } from '../verdict/failure-message.ts';

/** Ids seen in the responses of one operation to one caller: the evidence needed for "is not there". */
export type Sightings = Set<string>;

/** How a response was got. */
export interface Origin<A> {
  /** The arguments that were sent, in the form that was taken. */
  readonly sent: A;
  readonly successWhen?: SuccessRule | undefined;
}

/** A response with all that can be seen in it, documented or not: for matchers and for what judges, not for specs. */
export class ResponseDetails<A = unknown> {
  readonly exchange: Exchange;
  /** Something was to be absent, and nothing shows that it would have been seen. */
  lacksEvidence = false;
  readonly #earlier: Sightings;
  readonly #origin: Origin<A> | undefined;
  #sawSomething = false;

  constructor(exchange: Exchange, earlier: Sightings, origin?: Origin<A>) {
    this.exchange = exchange;
    this.#earlier = earlier;
    this.#origin = origin;
  }

  get sent(): A {
    if (!this.#origin) throw new Error('this response has no call');
    return this.#origin.sent;
  }

  get successWhen(): SuccessRule | undefined {
    return this.#origin?.successWhen;
  }

  get status(): number {
    return this.exchange.response?.status ?? 0;
  }

  /** The JSON value; `undefined` if there is no JSON body. */
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

  /** The lines of a failure message: what was observed first, then what was asked and answered. */
  explain(observed: string): string {
    return `${observed}\n${exchangeLines(this.exchange).join('\n')}`;
  }
}
