import type { Environment } from '../../config/index.ts';
import { type AreaId, type Operation, operation, operationIds, readProfile, trials } from '../../spec/index.ts';

/** A request that changes nothing, ready to be sent. */
export interface PlannedRead {
  readonly operation: Operation;
  readonly args: unknown;
  /** Keys of the environment with the values in its path or body. */
  readonly keys: readonly string[];
}

/** The request that tries an area without changing anything; otherwise why there is none. */
export function plannedRead(environment: Environment, area: AreaId): PlannedRead | { readonly why: string } {
  const { blockListSegments: segments, data, caller, friend, readProfile: known } = environment;
  const id = operationIds.find((each) => operation(each).area === area && each in trials);
  const trial = id && trials[id];
  if (trial) {
    const values: Readonly<Record<string, string | undefined>> = {
      REPORT_LANGUAGE: data.reportLanguage,
      FLAG_KEY: data.flagKey,
    };
    const args = trial.args((key) => values[key], { segments, language: caller.app['app-lang'] });
    return { operation: operation(id), args, keys: trial.keys };
  }
  if (area !== readProfile.area) return { why: `nothing to read: ${titlesOf(area)} changes data` };
  if (!known) return { why: 'nothing to read without FRIEND_PROFILE_REQUEST' };
  const userId = friend.userId ?? caller.userId;
  return {
    operation: known,
    args: { userId },
    keys: ['FRIEND_PROFILE_REQUEST', friend.userId ? 'FRIEND_USER_ID' : 'USER_ID'],
  };
}

function titlesOf(area: AreaId): string {
  return operationIds
    .map(operation)
    .filter((entry) => entry.area === area)
    .map(({ title }) => title)
    .join(', ');
}
