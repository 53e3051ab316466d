import type { Exchange } from '../http/exchange.ts';
import { ExpectationLog } from '../observer/observer.ts';
import type { SpecifiedOperation } from '../target/target.ts';
import type { CallSite } from '../verdict/expectation-error.ts';
import { requestBreaches, responseBreaches } from './breaches.ts';

/** More problems of one exchange are counted. */
const MOST_SHOWN = 5;

/** Holds the exchanges of one scenario to the team's own OpenAPI document. */
export class ContractLog extends ExpectationLog {
  /** Holds a response; `site` has the stack of the spec's line. */
  holdResponse(exchange: Exchange, site: CallSite): void {
    const specified = this.#specified(exchange);
    if (!specified || !exchange.response) return;
    const { broken, noted } = responseBreaches(exchange.response, specified);
    for (const text of noted) this.note('unlisted', `${exchange.operation}: ${text}`);
    if (broken.length === 0) return;
    const observed = listed(broken);
    const { file, place } = specified;
    if (!this.isNew(`${exchange.operation}: ${observed}`)) return;
    const claim = `specified: ${file} describes this response of ${place}` as const;
    this.add(exchange, { verdict: 'failed', claim, observed }, site);
  }

  /** Holds a request that is valid by the specification: a mismatch with the document is a fault of the suite. */
  holdRequest(exchange: Exchange): void {
    const against = this.doubt(exchange);
    if (against) this.note('sent', `${exchange.operation}: ${against}`);
  }

  /** Why a refusal of a request can't be blamed on the service: the team's own document forbids the request. */
  doubt(exchange: Exchange): string | undefined {
    const specified = this.#specified(exchange);
    const breaches = specified ? requestBreaches(exchange, specified) : [];
    if (!specified || breaches.length === 0) return undefined;
    return `the request that was sent breaks ${specified.file} (${listed(breaches)}); correct the environment's test data, or the document`;
  }

  /**
   * Whether the document lists this very success without a body: common sense, which wants one of a read, gives way to what the
   * team specified.
   */
  allowsNoBody(exchange: Exchange): boolean {
    const { response } = exchange;
    if (!response || response.status < 200 || response.status > 299 || response.body.text !== '') return false;
    const listed = this.#specified(exchange)?.responses.get(`${response.status}`);
    return listed !== undefined && (listed.content?.size ?? 0) === 0 && !this.target.successWhen;
  }

  /** A document says nothing of another method on the same path. */
  #specified(exchange: Exchange): SpecifiedOperation | undefined {
    const specified = this.target.contract?.operations.get(exchange.operation);
    return specified?.place.startsWith(`${exchange.request.method} `) ? specified : undefined;
  }
}

function listed(problems: readonly string[]): string {
  const shown = [...new Set(problems)];
  const rest = shown.length - MOST_SHOWN;
  return [...shown.slice(0, MOST_SHOWN), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}
