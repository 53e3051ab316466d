import { type ApiResponse, inside } from '../../call/index.ts';
import type { Exchange } from '../../http/index.ts';
import { type Claim, callSite, ExpectationError, type Observer } from '../../verdict/index.ts';

/**
 * Wraps `work`, which judges the service by several calls. So a report shows these calls as one step, and a failure points at the spec's
 * line. If there is a reason to skip, `work` itself must throw it, because Playwright's runner sees an error only within a step.
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

/**
 * The error of a broken expectation. Give a `sentence` for its message if the claim and the observation would read badly next to each
 * other.
 */
export function failed(
  met: ApiResponse | Exchange,
  claim: Claim,
  observed: string,
  sentence?: string,
): ExpectationError {
  const exchange = 'operation' in met ? met : inside(met).exchange;
  return new ExpectationError(exchange, { verdict: 'failed', claim, observed, ...(sentence ? { sentence } : {}) });
}
