import type { Exchange } from '../http/exchange.ts';
import { valueAt } from '../json/json-pointer.ts';
import { alike } from '../json/search.ts';
import { assertGrade, SpecMistake } from '../mistakes/spec-mistake.ts';
import type { StatedClaim } from '../verdict/claim.ts';
import { ExpectationError } from '../verdict/expectation-error.ts';
import { judge } from '../verdict/judge.ts';
import { type Origin, ResponseDetails, type Sightings } from './response-details.ts';

/** What people look for in a response, and the specification doesn't show. */
export const undocumented = [
  'status',
  'statusText',
  'ok',
  'json',
  'text',
  'body',
  'data',
  'headers',
  'entries',
  'exchange',
];

/** Everything about a response, for what judges it. */
export let inside: <A>(response: ApiResponse<A>) => ResponseDetails<A>;

/**
 * A judged response, as specs see it: only what the specification shows. The rest has to be named as undocumented, and is a
 * mistake of the spec otherwise.
 */
export class ApiResponse<A = unknown> {
  static {
    inside = (response) => response.#details;
    for (const property of undocumented)
      Object.defineProperty(ApiResponse.prototype, property, {
        get: () => {
          throw SpecMistake.of('undocumented', { property });
        },
      });
  }

  readonly #details: ResponseDetails<A>;

  constructor(exchange: Exchange, earlier: Sightings, origin?: Origin<A>) {
    this.#details = new ResponseDetails(exchange, earlier, origin);
  }

  /** The arguments that were accepted: where a service refused one form of them, another that it took. */
  get sent(): A {
    return this.#details.sent;
  }

  /** Refused for what was sent: a 4xx, or SUCCESS_WHEN unmet. */
  get isRefusal(): boolean {
    return judge(this.#details.exchange, 'refusal', this.#details.successWhen) === undefined;
  }

  /** The values that stand where `known` stands. */
  alike(known: string): string[] {
    return alike(this.#details.json, known);
  }

  /**
   * The JSON value at a JSON Pointer (RFC 6901), which the specification does not show: `claim` states what is assumed.
   * @throws ExpectationError where the response has no such value.
   */
  undocumented(pointer: string, claim: Extract<StatedClaim, `assumed: ${string}`>): unknown {
    assertGrade('undocumented(…)', claim);
    const { exchange, json } = this.#details;
    const value = valueAt(json, pointer);
    if (value !== undefined) return value;
    throw new ExpectationError(exchange, { verdict: 'failed', claim, observed: `there is nothing at ${pointer}` });
  }
}
