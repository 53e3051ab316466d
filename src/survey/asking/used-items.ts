import { type Exchange, isSuccess, type SuccessRule } from '../../client/index.ts';
import { operationsWith } from '../../spec/index.ts';

/** Whether an operation takes a stored item, which is gone then. */
export function isUsedUp(id: string): boolean {
  return operationsWith('usesUp').some((entry) => entry.id === id && entry.usesUp?.renewedBy === 'item');
}

/** The first deletion in `exchanges`, as a control for other requests. */
export function deletionAmong(
  exchanges: readonly Exchange[],
  rule: SuccessRule | undefined,
): { readonly exchange: Exchange; readonly args: { readonly id: string } } | undefined {
  const exchange = exchanges.find(
    ({ operation, response }) => isUsedUp(operation) && response && isSuccess(operation, response, rule),
  );
  const id = exchange && new URL(exchange.request.url).pathname.split('/').at(-1);
  return id ? { exchange, args: { id: decodeURIComponent(id) } } : undefined;
}
