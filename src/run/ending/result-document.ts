import { redactJson } from '../../redaction/index.ts';
import { type CallEntry, callEntry } from '../../scenario/index.ts';
import type { Category } from '../../verdict/index.ts';
import type { ScenarioResult } from './result.ts';

/** The content type of a result that is attached to a test. */
export const RESULT_TYPE = 'application/vnd.sextant.result+json';

/** A result as JSON, for readers in other processes. Its calls have no headers and bodies. */
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
