import { type ApiResponse, inside, type SuccessRule, valueAt } from '../../client/index.ts';

/** The kind of a refusal: its status, and the value for SUCCESS_WHEN. */
export function signature(response: ApiResponse, rule: SuccessRule | undefined): string {
  const { status, json } = inside(response);
  return JSON.stringify([status, rule ? valueAt(json, rule.pointer) : null]);
}
