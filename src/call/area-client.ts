import {
  type AreaId,
  type CallArguments,
  type CallableId,
  type OperationsOf,
  type OperationsWith,
  operation,
  operationIds,
  readProfile,
} from '../service/index.ts';
import { callSite, SpecMistake } from '../verdict/index.ts';
import { Call } from './call.ts';
import type { RawBody } from './requests/prepare.ts';
import type { Session } from './session.ts';

/** The function that calls an operation. A list takes its path segments from BLOCK_LIST_SEGMENTS, unless the call gives others. */
type Operate<O extends CallableId> =
  O extends OperationsWith<'isPaged'>
    ? (args?: CallArguments<O>) => Call<CallArguments<O>>
    : <A extends CallArguments<O> | RawBody>(args: A) => Call<A>;

export type AreaClient<A extends AreaId> = { readonly [O in OperationsOf<A>]: Operate<O> };

export function areaClient<A extends AreaId>(session: Session, area: A): AreaClient<A> {
  const { target } = session.context;
  const client: Record<string, (args?: unknown) => Call> = {};
  for (const entry of [...operationIds.map(operation), target.readProfile]) {
    if (entry?.area !== area) continue;
    const call = (args: unknown = entry.isPaged ? target.blockListSegments : undefined): Call =>
      new Call(session, entry, args, new Map(), callSite(call));
    client[entry.id] = call;
  }
  if (area === readProfile.area && !target.readProfile) {
    client[readProfile.id] = () => {
      throw new SpecMistake(
        `${readProfile.id} needs FRIEND_PROFILE_REQUEST, which ${target.name} lacks: the specification does not show its request; take \`canReadProfile\` as a parameter, so that the scenario is skipped where it is absent`,
      );
    };
  }
  return client as unknown as AreaClient<A>;
}
