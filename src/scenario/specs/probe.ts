import { type ApiResponse, inside } from '../../call/index.ts';
import type { Exchange } from '../../http/index.ts';
import { type Claim, callSite, ExpectationError, type Observer } from '../../verdict/index.ts';

/**
 * Judgement of a spec that takes more than one call: one step of the report. A failure in `work` points at the spec's
 * line. `work` also throws the reason for a skip, because Playwright's runner sees an error only within a step.
 */
export function probe<A extends readonly unknown[], T = void>(
  { observer }: { readonly observer: Observer },
  title: string | ((...args: A) => string),
  work: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  return function probing(...args) {
    const site = callSite(probing);
    return observer.step(typeof title === 'string' ? title : title(...args), site, async () => {
      try {
        return await work(...args);
      } catch (error) {
        throw error instanceof ExpectationError ? error.at(site) : error;
      }
    });
  };
}

/** `sentence` says what broke where claim and observation would read badly side by side. */
export function failed(
  met: ApiResponse | Exchange,
  claim: Claim,
  observed: string,
  sentence?: string,
): ExpectationError {
  const exchange = 'operation' in met ? met : inside(met).exchange;
  return new ExpectationError(exchange, { verdict: 'failed', claim, observed, ...(sentence ? { sentence } : {}) });
}
