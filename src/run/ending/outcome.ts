import { relative } from 'node:path';
import { definedFields } from '../../environment/index.ts';
import { workFolder } from '../../environment/project-root.ts';
import type { AreaId } from '../../service/index.ts';
import type { Drift } from '../../verdict/index.ts';
import { workingAreas } from './causes.ts';
import { driftsOf } from './drifts.ts';
import type { ScenarioResult } from './result.ts';
import type { ResultDocument } from './result-document.ts';

/** The outcome of one test or scenario, as in `outcomes.json`: its result without its calls. */
export interface TestOutcome
  extends Pick<
    ScenarioResult,
    | 'title'
    | 'area'
    | 'verdict'
    | 'reason'
    | 'unproven'
    | 'quarantined'
    | 'failures'
    | 'accepted'
    | 'acceptedOperations'
    | 'warnings'
  > {
  /** The learned answers and shapes of responses that no longer hold. */
  readonly drifts?: readonly Drift[];
  readonly environment: string;
  readonly seconds: number;
  /** The path of the spec, relative to the work folder, and the line that shows the problem best. */
  readonly file?: string;
  readonly line?: number;
  /** The areas that gave the scenario a response other than a server error. */
  readonly working?: readonly AreaId[];
  /** The complete texts of all errors, if the test failed or could not be judged. The decisive error comes first. */
  readonly messages?: readonly string[];
  /** Present if the test passed, but not at the first attempt. `reason` comes from the gravest earlier attempt. */
  readonly flaky?: { readonly attempts: number; readonly reason: string };
}

export function outcomeOfResult(
  environment: string,
  result: ResultDocument | Omit<ScenarioResult, 'effect'>,
  messages?: readonly string[],
): TestOutcome {
  const { title, area, verdict, reason, unproven, quarantined, failures, file, line, durationMs, exchanges } = result;
  const { accepted = [], acceptedOperations, warnings } = result;
  const drifts = driftsOf(result);
  return {
    ...{ environment, title, area, verdict, seconds: durationMs / 1_000, working: workingAreas(exchanges) },
    accepted,
    file: relative(workFolder, file).replaceAll('\\', '/'),
    ...definedFields({ line, reason, unproven, quarantined, failures, acceptedOperations, messages, warnings }),
    ...(drifts.length > 0 ? { drifts } : {}),
  };
}

/** The reason of a failure with the operation in front, for outputs that don't show the operation elsewhere. */
export function namedReason({ failures: [first] = [], reason = '' }: Pick<TestOutcome, 'failures' | 'reason'>): string {
  return first?.call ? `${first.call.operation}: ${reason}` : reason;
}
