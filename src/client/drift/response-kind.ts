import type { CallableId } from '../../spec/index.ts';
import type { HttpResponse } from '../exchange.ts';
import type { SuccessRule } from '../target.ts';
import { isSuccess } from '../verdict/judge.ts';

/** The kind under which an answer is filed. */
export function responseKind(operation: CallableId, answer: HttpResponse, rule: SuccessRule | undefined): string {
  const isRefusal = answer.status < 300 && rule !== undefined && !isSuccess(operation, answer, rule);
  return `${answer.status}${isRefusal ? ' refused' : ''}`;
}
