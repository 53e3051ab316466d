import type { Exchange } from '../exchange.ts';
import { valueAt } from '../json-pointer.ts';
import type { SuccessRule } from '../target.ts';

/** The kind of a refusal: its status, and the value for SUCCESS_WHEN. */
export function refusalKind({ response }: Exchange, rule: SuccessRule | undefined): string {
  const json = response?.body.json;
  return JSON.stringify([response?.status, rule && json?.ok ? (valueAt(json.value, rule.pointer) ?? null) : null]);
}
