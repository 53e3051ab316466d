import type { CallableId } from '../../spec/index.ts';
import type { HttpResponse } from '../http/exchange.ts';
import type { SuccessRule } from '../target/target.ts';
import { isSuccess } from '../verdict/judge.ts';

/** The kind of a response. */
export function responseKind(operation: CallableId, response: HttpResponse, rule: SuccessRule | undefined): string {
  const isRefusal = response.status < 300 && rule !== undefined && !isSuccess(operation, response, rule);
  return `${response.status}${isRefusal ? ' refused' : ''}`;
}
