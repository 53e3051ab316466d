import { areaClient, type Call, type Session } from '../../client/index.ts';
import { type CallableId, callable } from '../../spec/index.ts';

/** Calls an operation by id; `args` are its body or its path parameters. */
export type CallByName = (operation: CallableId, args: unknown) => Call;

export function callByName(session: Session): CallByName {
  return (id, args) => {
    const client = areaClient(session, callable(id).area) as Readonly<Record<string, (args: unknown) => Call>>;
    return (client[id] as (args: unknown) => Call)(args);
  };
}
