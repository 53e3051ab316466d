import type { Operation } from '../../spec/index.ts';
import type { Exchange } from '../http/exchange.ts';
import type { SuccessRule } from '../target/target.ts';
import type { SuiteError } from './category.ts';
import type { Circumstances } from './circumstances.ts';
import { ExpectationError } from './expectation-error.ts';
import { judge, type Shortfall } from './judge.ts';

/** A call whose success was expected: one exchange, or one for each form of its arguments that was tried. */
export interface Refused {
  readonly operation: Operation;
  readonly args: unknown;
  readonly exchanges: readonly [Exchange, ...Exchange[]];
  /** Its headers are the right ones. */
  readonly isValid: boolean;
}

/** Whether what is valid was refused for another reason than its credentials. */
export function isPlainRefusal(exchange: Exchange, rule: SuccessRule | undefined): boolean {
  return judge(exchange, 'success', rule)?.verdict === 'failed' && judge(exchange, 'refusal', rule) === undefined;
}

/**
 * The error of a refusal where success was expected. It names every suspect; where the arguments are the suite's own, it may
 * be that nothing is proved.
 */
export function refusedInstead(
  { operation, args, exchanges, isValid }: Refused,
  shortfall: Shortfall,
  circumstances: Circumstances | undefined,
): SuiteError {
  const [first, ...others] = exchanges;
  const open = isValid ? circumstances?.open(operation, args, exchanges) : undefined;
  if (open) return open;
  const suspects = isValid ? circumstances?.suspects(operation, args) : undefined;
  const statuses = others.map(({ response }) => response?.status ?? 'no response');
  const observed = [
    shortfall.observed,
    ...(statuses.length > 0 ? [`(and ${statuses.join(', ')} in other forms)`] : []),
    ...(suspects ? [suspects] : []),
  ].join(' ');
  return broken(first, { ...shortfall, observed }, circumstances?.forbidden(first));
}

/** A broken expectation is the service's failure, unless something is known that may be behind it. */
export function broken(exchange: Exchange, shortfall: Shortfall, doubt: string | undefined): ExpectationError {
  if (!doubt) return new ExpectationError(exchange, shortfall);
  const observed = `${shortfall.observed}; ${doubt}`;
  return new ExpectationError(exchange, { ...shortfall, verdict: 'unknown', observed });
}
