import { idIn } from '../../call/index.ts';
import { type Exchange, fieldsIn, leaves, mentions } from '../../http/index.ts';
import { type CallableId, operation } from '../../service/index.ts';
import { outcomeOf, type SuccessRule } from '../../verdict/index.ts';

/** An accepted change that is missing in the list that should show it. */
export interface UnseenChange {
  readonly operation: CallableId;
  readonly madeBy: string;
  /** The user whom the list shows in place of `madeBy`. The service may have mistaken one user for the other. */
  readonly stranger?: string;
}

/** The effect that an accepted change must have on a list: the list contains an id, or no longer contains it. */
interface Effect {
  readonly change: Exchange;
  readonly list: string | undefined;
  readonly reader: string;
  readonly id: string;
  readonly isThere: boolean;
}

/**
 * If a list is unexpected, finds an earlier change that the service accepted without effect, and which explains the list. Returns
 * `undefined` if the list itself is broken.
 */
export function unseenChange(
  failing: Exchange,
  exchanges: readonly Exchange[],
  rule: SuccessRule | undefined,
): UnseenChange | undefined {
  const { json } = failing.response?.body ?? {};
  if (!outcomeOf(failing, rule).isAccepted || !json?.ok || !exchanges.includes(failing)) return undefined;
  const before = exchanges.slice(0, exchanges.indexOf(failing));
  const accepted = before.filter((each) => outcomeOf(each, rule).isAccepted);
  const reader = userOf(failing);
  const effects = accepted
    .flatMap(effectsOf)
    .filter((each) => each.list === failing.operation && each.reader === reader);
  const last = new Map(effects.map((effect) => [effect.id, effect]));
  const unseen = [...last.values()].findLast(
    // If an earlier list showed the change, the change had its effect, and something else has reverted it since.
    (effect) => !exchanges.slice(before.indexOf(effect.change), before.length + 1).some((each) => isSeen(effect, each)),
  );
  if (!unseen) return undefined;
  const madeBy = userOf(unseen.change);
  const [stranger, ...others] = new Set(idsIn(json.value).filter((each) => each !== reader));
  const isTaken = unseen.isThere && stranger !== undefined && others.length === 0;
  const isMade = effectsOf(unseen.change).some(
    (own) => own.reader === madeBy && before.some((each) => isSeen(own, each)),
  );
  return { operation: unseen.change.operation, madeBy, ...(isTaken && isMade ? { stranger } : {}) };
}

/** The changes that another operation can undo, and that lists show. */
const changes = [operation('block'), operation('love')];

function effectsOf(change: Exchange): Effect[] {
  const made = changes.find(({ id, undo }) => change.operation === id || change.operation === undo);
  const target = idIn(fieldsIn(change.request.body));
  if (!made || target === undefined) return [];
  const [madeBy, isThere] = [userOf(change), change.operation === made.id];
  return [
    { change, list: made.shownBy, reader: madeBy, id: target, isThere },
    { change, list: made.shownToThemBy, reader: target, id: madeBy, isThere },
  ];
}

function isSeen({ list, reader, id, isThere }: Effect, exchange: Exchange): boolean {
  if (exchange.operation !== list || userOf(exchange) !== reader) return false;
  const json = exchange.response?.body.json;
  return json?.ok === true && mentions(json.value, id, true) === isThere;
}

function userOf({ request }: Exchange): string {
  return request.headers['mm-user-id'] ?? '';
}

/** The ids of a list: its plain texts, and the values of fields whose names end in `id`. */
function idsIn(list: unknown): string[] {
  return [...leaves(list)]
    .filter(({ path, isKey }) => !isKey && (path.at(-1) === '*' || /id$/i.test(path.at(-1) ?? '')))
    .map(({ text }) => text);
}
