import type { Exchange } from '../http/index.ts';
import { hostFailureOf, type RunAllOptions, runAll, type ScenarioResult, scenarios } from '../run/index.ts';
import { type CallableId, callable, callableIds, readProfile, undoneChange } from '../service/index.ts';
import { outcomeOf, type SuccessRule, verdicts } from '../verdict/index.ts';

/** The state of a service before its survey, as its scenarios show it. */
export interface Preflight {
  /** True if a scenario passed, or none failed. Otherwise a survey could learn nothing. */
  readonly isUsable: boolean;
  /** Scenarios that failed or had no response. The survey answers no question that depends on their operations. */
  readonly failed: readonly FailedScenario[];
  /** The exchanges of scenarios that passed or were unproven. None of them contradicts the specification, so they are samples, too. */
  readonly exchanges: readonly Exchange[];
}

export async function preflight(options: RunAllOptions): Promise<Preflight> {
  const environment = { ...options.environment, drift: 'warn' } as const;
  return preflightOf(await runAll(await scenarios(), { ...options, environment }), environment.successWhen);
}

/**
 * Sorts the results of the scenarios. Drift alone doesn't keep a survey from learning. But if an operation violates the specification, the
 * survey must not learn from this operation.
 */
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
  const failed = { title, verdict, reason };
  if (!failing) return { ...failed, operations: [], isContent: false };
  const { operation, area } = failing;
  if (hostFailureOf(result))
    return { ...failed, operations: callableIds.filter((id) => callable(id).area === area), isContent: false };
  return { ...failed, operations: [operation], isContent: outcomeOf(failing, rule).isAccepted };
}

export interface FailedScenario extends Pick<ScenarioResult, 'title' | 'verdict'> {
  readonly reason: string;
  /** The operations that are doubtful: the one that failed, or all of an area that can't be reached. */
  readonly operations: readonly CallableId[];
  /** True if the call was accepted, but its response lacks required content. */
  readonly isContent: boolean;
}

/** Questions whose answer depends on the content of a response. */
const ofContent = /^(answer-shape|paging|languages|report-codes|default-fallback)$/;
/** Questions whose experiment reads the profile back. */
const ofProfile = /^(includes-effect|profile-names|partial-update|spaces-around|avatar-shown)$/;

/**
 * Further operations without which a question can't be answered: a valid request depends on them, or the question's experiment calls them.
 */
function reliedOn(id: CallableId, question: string): readonly CallableId[] {
  const change = undoneChange(id);
  return [
    ...(change ? [change] : []),
    ...(question === 'paging' ? (['block', 'unblock'] as const) : []),
    ...(ofProfile.test(question) ? [readProfile.id] : []),
  ];
}

/** The failed scenario that prevents an answer to a question, as text. `undefined` if there is none. */
export function doubtOf(
  failed: readonly FailedScenario[],
  { operation: id, question }: { readonly operation: CallableId; readonly question: string },
): string | undefined {
  const asked = [id, ...reliedOn(id, question)];
  const found = failed.find(
    ({ operations, isContent }) =>
      operations.some((each) => asked.includes(each)) &&
      (!isContent || ofContent.test(question) || ofProfile.test(question)),
  );
  return found && `scenario "${found.title}" ${found.verdict} (${found.reason})`;
}
