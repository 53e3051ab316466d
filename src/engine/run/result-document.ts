import { type Category, type Exchange, header, redactJson } from '../../client/index.ts';
import type { AreaId, CallableId } from '../../spec/index.ts';
import type { ScenarioResult } from './result.ts';

/** The content type of a result that is attached to a test. */
export const RESULT_TYPE = 'application/vnd.sextant.result+json';

/** A result as JSON, for readers in other processes: its calls without their texts. */
export interface ResultDocument extends Omit<ScenarioResult, 'failing' | 'exchanges'> {
  readonly category: Category;
  readonly exchanges: readonly ResultCall[];
}

export interface ResultCall {
  readonly operation: CallableId;
  readonly area: AreaId;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly status?: number;
  readonly server?: string;
}

export function resultDocument(result: ScenarioResult): ResultDocument {
  const { failing: _, exchanges, ...rest } = result;
  return redactJson({ ...rest, category: categoryOf(result), exchanges: exchanges.map(callOf) });
}

/** Under which a report files it. */
export function categoryOf({
  verdict,
  quarantined,
  failures,
}: Pick<ScenarioResult, 'verdict' | 'quarantined' | 'failures'>) {
  return quarantined ? 'quarantined' : (failures?.[0]?.category ?? verdict);
}

function callOf({ operation, area, startedAt, durationMs, response }: Exchange): ResultCall {
  const server = response && header(response, 'server');
  return {
    ...{ operation, area, startedAt, durationMs },
    ...(response ? { status: response.status } : {}),
    ...(server ? { server } : {}),
  };
}
