import { type Exchange, isSuccess, type SuccessRule, type Verdict, verdicts } from '../client/index.ts';
import { hostFailureOf, type RunAllOptions, runAll, type ScenarioResult, scenarios } from '../runner/index.ts';
import {
  type AreaId,
  type CallableId,
  callable,
  type OperationId,
  operationsWith,
  readProfile,
  undoneChange,
} from '../spec/index.ts';

/** The state of a service before its survey, from its scenarios. */
export interface Preflight {
  /** A scenario passed, or none failed: there is something to learn. */
  readonly isUsable: boolean;
  /** Scenarios that failed or had no response; nothing that depends on them is learned. */
  readonly failed: readonly FailedScenario[];
  /** Every response in a scenario that passed, or was unproven: nothing in it contradicts the specification. */
  readonly exchanges: readonly Exchange[];
}

export async function preflight(options: RunAllOptions): Promise<Preflight> {
  const environment = { ...options.environment, drift: 'warn' } as const;
  return preflightOf(await runAll(await scenarios(), { ...options, environment }), environment.successWhen);
}

/** A survey is there to look at drift, but not at violations of the specification. */
export function preflightOf(results: readonly ScenarioResult[], rule?: SuccessRule): Preflight {
  const held = results.filter(({ verdict }) => ['up', 'degraded'].includes(verdicts[verdict].health));
  const failed = results
    .filter(({ verdict }) => verdicts[verdict].health === 'down')
    .map((result) => failedScenario(result, rule));
  return {
    isUsable: failed.length === 0 || held.length > 0,
    failed,
    exchanges: results.filter((each) => held.includes(each) || each.unproven).flatMap(({ exchanges }) => exchanges),
  };
}

function failedScenario(result: ScenarioResult, rule: SuccessRule | undefined): FailedScenario {
  const { title, verdict, reason = 'no reason', failing } = result;
  if (!failing) return { title, verdict, reason, scope: 'none' };
  const { operation, area, response } = failing;
  if (hostFailureOf(result)) return { title, verdict, reason, scope: 'area', area };
  // The call itself was accepted, so the content of the response was wrong.
  const isContent = response !== undefined && isSuccess(operation, response, rule);
  return { title, verdict, reason, scope: isContent ? 'content' : 'operation', operation };
}

export type FailedScenario = { readonly title: string; readonly verdict: Verdict; readonly reason: string } & (
  | { readonly scope: 'none' }
  | { readonly scope: 'area'; readonly area: AreaId }
  | { readonly scope: 'operation'; readonly operation: CallableId }
  /** It was accepted, but the response lacks required content. */
  | { readonly scope: 'content'; readonly operation: CallableId }
);

/** Questions whose answer depends on the content of a response. */
const ofContent =
  /^(answer-shape|paging|block-visible|languages|report-codes|default-fallback|includes-effect|own-request)$/;

/** The operations that a valid request of an operation depends on, and what the experiment of a question sends besides. */
function reliedOn(id: CallableId, question: string): readonly CallableId[] {
  const change = undoneChange(id);
  const listed = operationsWith('undo').filter(({ shownBy, shownToThemBy }) => [shownBy, shownToThemBy].includes(id));
  return [
    ...(change ? [change] : []),
    ...(/^(paging|block-visible)$/.test(question) ? listed.flatMap((each) => [each.id, each.undo as OperationId]) : []),
    ...(/^(includes-effect|own-request)$/.test(question) ? [readProfile.id] : []),
  ];
}

/** The reason why failed scenarios prevent deciding a question; `undefined` if they don't. */
export function doubtOf(
  failed: readonly FailedScenario[],
  { operation: id, question }: { readonly operation: CallableId; readonly question: string },
): string | undefined {
  const asked = [id, ...reliedOn(id, question)];
  const found = failed.find((each) => {
    if (each.scope === 'none') return false;
    if (each.scope === 'area') return asked.some((other) => callable(other).area === each.area);
    if (each.scope === 'operation') return asked.includes(each.operation);
    return ofContent.test(question) && asked.includes(each.operation);
  });
  return found && `scenario "${found.title}" ${found.verdict} (${found.reason})`;
}
