import { type ApiResponse, type SuccessRule, valueAt } from '../../client/index.ts';

/** The kind of a refusal: its status, and the value for SUCCESS_WHEN. */
export function signature({ status, json }: ApiResponse, rule: SuccessRule | undefined): string {
  return JSON.stringify([status, rule ? valueAt(json, rule.pointer) : null]);
}
