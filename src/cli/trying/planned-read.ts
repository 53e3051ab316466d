import type { Environment } from '../../config/index.ts';
import { type AreaId, type Operation, operation, operationIds } from '../../spec/index.ts';

/** A request that changes nothing, ready to be sent. */
export interface PlannedRead {
  readonly operation: Operation;
  readonly args: unknown;
  /** Keys of the environment with the values in its path or body. */
  readonly keys: readonly string[];
}

/** Of a flag that need not exist: the service evaluates its default. */
const ANY_FLAG = 'sextant-guided-start';

/** The request that tries an area without changing anything; otherwise why there is none. */
export function plannedRead(
  { blockListSegments, data, caller, friend, readProfile }: Environment,
  area: AreaId,
): PlannedRead | { readonly why: string } {
  switch (area) {
    case 'friends':
      return { operation: operation('listBlocked'), args: blockListSegments, keys: ['BLOCK_LIST_SEGMENTS'] };
    case 'stories': {
      const language = data.reportLanguage ?? caller.app['app-lang'];
      return { operation: operation('reportOptions'), args: { language }, keys: ['REPORT_LANGUAGE'] };
    }
    case 'features': {
      const args = { key: data.flagKey ?? ANY_FLAG, default: 'false', contextData: { source: 'sextant' } };
      return { operation: operation('evaluate'), args, keys: ['FLAG_KEY'] };
    }
    case 'profile': {
      if (!readProfile) return { why: 'nothing to read without FRIEND_PROFILE_REQUEST' };
      const userId = friend.userId ?? caller.userId;
      const key = friend.userId ? 'FRIEND_USER_ID' : 'USER_ID';
      return { operation: readProfile, args: { userId }, keys: ['FRIEND_PROFILE_REQUEST', key] };
    }
    default:
      return { why: `nothing to read: ${titlesOf(area)} changes data` };
  }
}

function titlesOf(area: AreaId): string {
  return operationIds
    .map(operation)
    .filter((entry) => entry.area === area)
    .map(({ title }) => title)
    .join(', ');
}
