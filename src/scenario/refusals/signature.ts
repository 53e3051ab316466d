import { type ApiResponse, type SuccessRule, valueAt } from '../../client/index.ts';

/** What tells one kind of refusal from another: its status, and the value that SUCCESS_WHEN looks at. */
export function signature({ status, json }: ApiResponse, rule: SuccessRule | undefined): string {
  return JSON.stringify([status, rule ? valueAt(json, rule.pointer) : null]);
}
