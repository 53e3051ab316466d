import type { Exchange } from '../client/index.ts';

/**
 * Whether `value` is what two other responses are: the same but for what differs between those two (a time, an id of the
 * request). Where theirs name something else than `value` does, `renamed` says what for what.
 */
export function saysTheSame(
  value: unknown,
  [first, second]: readonly [unknown, unknown],
  renamed?: { readonly from: string; readonly to: string },
): boolean {
  const [leaves, known, again] = [leavesOf(value), leavesOf(first), leavesOf(second)];
  if (leaves.size !== known.size) return false;
  const name = renamed && new RegExp(`\\b${renamed.from.replace(/\W/g, '\\$&')}\\b`, 'gi');
  const asHere = (text: string) => (name ? text.replace(name, renamed.to) : text).toLowerCase();
  return [...known].every(([place, text]) => {
    const found = leaves.get(name ? place.replace(name, renamed.to) : place);
    const isVolatile = again.get(place) !== text || isMoment(text);
    return found !== undefined && (isVolatile || found.toLowerCase() === asHere(text));
  });
}

/** A time of day, or an epoch in seconds or finer: it changes, though it may be the same in two quick responses. */
function isMoment(text: string): boolean {
  return /\d\d:\d\d/.test(text) || (/^"?\d{10,}"?$/.test(text) && Number(text.replaceAll('"', '')) > 1e9);
}

/** Every scalar of a value, as text, by its place. */
function leavesOf(root: unknown): Map<string, string> {
  const found = new Map<string, string>();
  const pending: [place: string, value: unknown][] = [['', root]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [place, value] = next;
    const children = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (children.length === 0) found.set(place, JSON.stringify(value) ?? '');
    for (const [name, child] of children) pending.push([`${place}/${name}`, child]);
  }
  return found;
}

/** What a response says: its JSON value, or its text. */
export function bodyOf({ response }: Exchange): unknown {
  return response?.body.json.ok ? response.body.json.value : response?.body.text;
}
