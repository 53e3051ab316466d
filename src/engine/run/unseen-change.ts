import { type Exchange, fieldsIn, idIn, leaves, mentions } from '../../client/index.ts';
import { type CallableId, callable, type OperationId, operation, operations } from '../../spec/index.ts';

/** A change that was accepted and that the list where it should show doesn't show. */
export interface UnseenChange {
  readonly operation: CallableId;
  readonly madeBy: string;
  /** The only other user in a list that should mention who made the change: the service may have taken one for the other. */
  readonly stranger?: string;
}

/**
 * Finds the change that explains an unexpected list: an earlier one that was accepted without effect. Returns
 * `undefined` if the list itself is broken.
 */
export function unseenChange(failing: Exchange | undefined, exchanges: readonly Exchange[]): UnseenChange | undefined {
  if (!failing?.response || failing.response.status >= 400 || !failing.response.body.json.ok) return undefined;
  const at = exchanges.indexOf(failing);
  if (at < 0) return undefined;
  const before = exchanges.slice(0, at);
  const list = failing.response.body.json.value;
  const reader = userOf(failing);
  const last = new Map<string, Shown>();
  for (const exchange of before) {
    const { response } = exchange;
    const shown = response && response.status < 400 ? shownIn(failing.operation, exchange, reader) : undefined;
    if (shown) last.set(shown.id, shown);
  }
  const lists = before.filter((each) => each.operation === failing.operation && userOf(each) === reader);
  const isSeenIn = ({ response }: Exchange, { id, isThere }: Shown) =>
    response?.body.json.ok === true && mentions(response.body.json.value, id, true) === isThere;
  const unseen = [...last.values()].findLast(
    (shown) =>
      !isSeenIn(failing, shown) &&
      // If an earlier list showed the change, something else has reverted it since.
      !lists.some((each) => before.indexOf(each) > before.indexOf(shown.exchange) && isSeenIn(each, shown)),
  );
  if (!unseen) return undefined;
  const { exchange, id, isThere } = unseen;
  const madeBy = userOf(exchange);
  const others = [...new Set(idsIn(list))].filter((each) => each !== reader);
  const isTaken = isThere && madeBy === id && others.length === 1 && isSeenByItsMaker(exchange, before);
  const [stranger = ''] = others;
  return { operation: exchange.operation, madeBy, ...(isTaken ? { stranger } : {}) };
}

/** The effect that a change should have had on a list: an id is there, or no longer. */
interface Shown {
  readonly exchange: Exchange;
  readonly id: string;
  readonly isThere: boolean;
}

function shownIn(list: CallableId, exchange: Exchange, reader: string): Shown | undefined {
  const madeBy = userOf(exchange);
  const target = idIn(fieldsIn(exchange.request.body));
  if (target === undefined) return undefined;
  for (const id of Object.keys(operations) as OperationId[]) {
    const { undo, shownBy, shownToThemBy } = operation(id);
    if (exchange.operation !== id && exchange.operation !== undo) continue;
    const isThere = exchange.operation === id;
    if (shownBy === list && madeBy === reader) return { exchange, id: target, isThere };
    if (shownToThemBy === list && target === reader) return { exchange, id: madeBy, isThere };
  }
  return undefined;
}

/** Whether a change that another user's list doesn't show is in the list of the user who made the change. */
function isSeenByItsMaker({ operation: id, request }: Exchange, before: readonly Exchange[]): boolean {
  const { shownBy } = callable(id);
  const target = idIn(fieldsIn(request.body)) ?? '';
  const own = before.findLast((each) => each.operation === shownBy && userOf(each) === request.headers['mm-user-id']);
  const json = own?.response?.body.json;
  return json?.ok === true && mentions(json.value, target, true);
}

function userOf({ request }: Exchange): string {
  return request.headers['mm-user-id'] ?? '';
}

/** The ids of a short list: its plain texts, and what stands in fields that are named for an id. */
function idsIn(list: unknown): string[] {
  return [...leaves(list)]
    .filter(({ path, isKey }) => !isKey && (path.at(-1) === '*' || /id$/i.test(path.at(-1) ?? '')))
    .map(({ text }) => text);
}
