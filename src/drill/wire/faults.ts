import type { FaultKind } from '../../../reference-service/index.ts';
import {
  type HeaderName,
  type HeaderSetId,
  headerSets,
  type Operation,
  operation,
  operationIds,
} from '../../service/index.ts';

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Replied {
  readonly status: number;
  readonly type: string | null;
  readonly body: string;
}

/** `silence`: no response ever comes. */
export type Reply = Replied | 'reset' | 'silence';

/** A fault of one operation. It changes only what passes between client and service, so it works with any service. */
export interface WireFault {
  /** If the catalogue of the reference service has the same fault, the name is the same there. */
  readonly name: string;
  readonly operation: Operation;
  /**
   * answer, wire: every request gets `reply` · state: an accepted change is not made · list: the ids of changed users are missing · auth:
   * `header` isn't checked.
   */
  readonly kind: Extract<FaultKind, 'answer' | 'wire' | 'state' | 'list' | 'auth'>;
  readonly reply?: Reply;
  readonly header?: HeaderName;
  /** Why the fault is invisible from outside. */
  readonly survives?: string;
}

const failure = (status: number) => ({ status, type: 'application/json', body: '{"error":"broken on purpose"}' });

/** Ways in which any operation can fail. */
const outages: Readonly<Record<string, Pick<WireFault, 'kind' | 'reply'>>> = {
  'answers-500': { kind: 'answer', reply: failure(500) },
  'answers-404': { kind: 'answer', reply: failure(404) },
  'resets-the-connection': { kind: 'wire', reply: 'reset' },
  // This fault also covers late responses, because the suite reads no response after its deadline.
  'never-answers': { kind: 'wire', reply: 'silence' },
};

const isNotShown = 'no documented request reads what the operation changes';
const unreadProfile = 'no request reads the profile; set FRIEND_PROFILE_REQUEST';

function swallowed(each: Operation, canReadProfile: boolean): WireFault {
  const isUndo = operationIds.some((other) => operation(other).undo === each.id);
  const { shownBy, restoredBy } = each;
  const survives = restoredBy ? (canReadProfile ? undefined : unreadProfile) : shownBy ? undefined : isNotShown;
  const name = `${each.id}-${isUndo || each.method === 'DELETE' ? 'does-nothing' : 'not-written'}`;
  return { name, operation: each, kind: 'state', ...(survives ? { survives } : {}) };
}

/**
 * All faults on the wire: each operation fails in each way, each change is accepted without effect, each list lacks the changed ids, and
 * each header of a header set is unchecked in one operation. Rows 11 and 12 of the specification are one request, so only one of them gets
 * faults. `readProfile` is the request that reads a profile, if the team has configured one.
 */
export function wireFaults(readProfile?: Operation): WireFault[] {
  const documented = operationIds.filter((id) => id !== 'getFriendProfile').map(operation);
  const served = [...documented, ...(readProfile ? [readProfile] : [])];
  const listIds = documented.flatMap(({ shownBy, shownToThemBy }) => [shownBy, shownToThemBy]);
  const lists = documented.filter(({ id }) => listIds.includes(id));
  return [
    ...served.flatMap((each) =>
      Object.entries(outages).map(([way, rest]) => ({ name: `${each.id}-${way}`, operation: each, ...rest })),
    ),
    ...documented.filter(({ effect }) => effect !== 'read').map((each) => swallowed(each, readProfile !== undefined)),
    ...lists.map((each) => ({ name: `${each.id}-drops-the-ids`, operation: each, kind: 'list' as const })),
    ...(Object.keys(headerSets) as HeaderSetId[]).flatMap((set) => {
      const ofSet = documented.filter(({ headerSet }) => headerSet === set);
      const one = ofSet.find(({ effect }) => effect === 'read') ?? ofSet[0];
      const auth = { kind: 'auth' as const };
      return one
        ? headerSets[set].map((header) => ({ name: `${one.id}-${header}-unchecked`, operation: one, header, ...auth }))
        : [];
    }),
  ];
}
