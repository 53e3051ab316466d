import { areaClient, type Call, type Session } from '../../client/index.ts';
import type { CallableId } from '../../spec/index.ts';
import { areaIds } from '../../spec/index.ts';

/** Calls an operation by id; `args` are its body or its path parameters. */
export type CallByName = (operation: CallableId, args: unknown) => Call;

export function callByName(session: Session): CallByName {
  const methods = Object.assign({}, ...areaIds.map((area) => areaClient(session, area))) as Record<
    CallableId,
    (args: unknown) => Call
  >;
  return (operation, args) => methods[operation](args);
}
