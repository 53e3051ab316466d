import { alike, type Exchange, entryCount, mentions, valueAt } from '../http/index.ts';
import { callable } from '../service/index.ts';
import { assertGrade, ExpectationError, outcomeOf, type StatedClaim, type SuccessRule } from '../verdict/index.ts';
import type { Catching } from './awaited-changes.ts';

/** Ids seen in the responses of one operation to one caller: the evidence that `.not.toMention` needs. */
export type Sightings = Set<string>;

interface Origin<A> {
  readonly sent: A;
  readonly successWhen?: SuccessRule | undefined;
  readonly further?: readonly Exchange[];
}

/** Everything that can be seen in a response, documented or not. It is for matchers and judgements, not for specs. */
class ResponseDetails {
  readonly exchange: Exchange;
  /** The further pages of a list, if the service cuts it into pages. */
  readonly further: readonly Exchange[];
  readonly #earlier: Sightings;
  readonly #rule: SuccessRule | undefined;
  /**
   * Evidence that the list works: `shows` if it shows an id that a spec looked for, `forgets` if it no longer shows an id that it showed
   * before.
   */
  readonly shown = new Set<Catching>();

  constructor(exchange: Exchange, earlier: Sightings, origin: Origin<unknown> | undefined) {
    this.exchange = exchange;
    this.further = origin?.further ?? [];
    this.#rule = origin?.successWhen;
    this.#earlier = earlier;
  }

  get status(): number {
    return this.exchange.response?.status ?? 0;
  }

  get json(): unknown {
    return jsonOf(this.exchange, this.#rule);
  }

  /** The JSON of each page of a list. */
  get pages(): unknown[] {
    return [this.exchange, ...this.further].map((page) => jsonOf(page, this.#rule));
  }

  get text(): string {
    return this.exchange.response?.body.text ?? '';
  }

  get entries(): number | undefined {
    const counts = this.pages.map(entryCount);
    return counts.every((count) => count === undefined)
      ? undefined
      : counts.reduce<number>((all, count = 0) => all + count, 0);
  }

  /** Whether a response mentions an id. In lists, upper and lower case are ignored. */
  mentions(id: string): boolean {
    const { isPaged } = callable(this.exchange.operation);
    const found = this.pages.some((page) => mentions(page, id, isPaged));
    if (found) {
      this.#earlier.add(id);
      this.shown.add('shows');
    } else if (this.#earlier.has(id)) this.shown.add('forgets');
    return found;
  }

  /**
   * Whether the absence of `id` proves anything. A broken list that is always empty doesn't show `id` either. So there must be evidence
   * that the list shows entries: this session saw `id` in an earlier response of the operation, or this response mentions another id that a
   * spec looked for.
   */
  provesAbsenceOf(id: string): boolean {
    return this.shown.has('shows') || this.#earlier.has(id);
  }
}

function jsonOf(exchange: Exchange, rule: SuccessRule | undefined): unknown {
  const json = exchange.response?.body.json;
  return json?.ok && !outcomeOf(exchange, rule).isNoEntries ? json.value : undefined;
}

export let inside: (response: ApiResponse) => ResponseDetails;

/** A judged response, as specs see it. It offers only what the specification shows; specs read anything else with `undocumented`. */
export class ApiResponse<A = unknown> {
  static {
    inside = (response) => response.#details;
  }

  readonly #details: ResponseDetails;
  readonly #origin: Origin<A> | undefined;

  constructor(exchange: Exchange, earlier: Sightings, origin?: Origin<A>) {
    this.#details = new ResponseDetails(exchange, earlier, origin);
    this.#origin = origin;
  }

  /** The arguments that were sent. */
  get sent(): A {
    if (!this.#origin) throw new Error('this response has no call');
    return this.#origin.sent;
  }

  /** True if the service refused what was sent: a 4xx, or SUCCESS_WHEN unmet. */
  get isRefusal(): boolean {
    return outcomeOf(this.#details.exchange, this.#origin?.successWhen).isRefusal;
  }

  /** All values in the same place as `known`, for example in the same field of the other entries. */
  alike(known: string): string[] {
    return alike(this.#details.pages, known);
  }

  /**
   * Reads the JSON value at a JSON Pointer (RFC 6901) that the specification does not show. `claim` states what is assumed.
   * @throws ExpectationError if the response has no such value.
   */
  undocumented(pointer: string, claim: Extract<StatedClaim, `assumed: ${string}`>): unknown {
    assertGrade('undocumented(…)', claim);
    const { exchange, json } = this.#details;
    const value = valueAt(json, pointer);
    if (value !== undefined) return value;
    throw new ExpectationError(exchange, { verdict: 'failed', claim, observed: `there is nothing at ${pointer}` });
  }
}
