import { redactJson } from '../../redaction/index.ts';
import { type CallEntry, callEntry } from '../../scenario/index.ts';
import type { Category } from '../../verdict/index.ts';
import type { ScenarioResult } from './result.ts';

/** The content type of the attachment with a test's result. */
export const RESULT_TYPE = 'application/vnd.sextant.result+json';

/** A result as JSON, for other processes. It has no headers and bodies of calls. */
export interface ResultDocument extends Omit<ScenarioResult, 'failing' | 'exchanges'> {
  readonly category: Category;
  readonly exchanges: readonly CallEntry[];
}

export function resultDocument(result: ScenarioResult): ResultDocument {
  const { failing: _, exchanges, ...rest } = result;
  return redactJson({ ...rest, category: categoryOf(result), exchanges: exchanges.map(callEntry) });
}

/** The category under which a report lists a result. */
export function categoryOf({
  verdict,
  quarantined,
  failures,
}: Pick<ScenarioResult, 'verdict' | 'quarantined' | 'failures'>) {
  return quarantined ? 'quarantined' : (failures?.[0]?.category ?? verdict);
}
