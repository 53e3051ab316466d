import type { Exchange } from '../../client/index.ts';

/**
 * Whether `value` equals two other responses, except for values that differ between those two (a time, an id of the
 * request). If they mention another value than `value` does, `renamed` maps it.
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

/** A time of day, or an epoch in seconds or finer, which may be equal in two quick responses but still changes. */
function isMoment(text: string): boolean {
  return /\d\d:\d\d/.test(text) || (/^"?\d{10,}"?$/.test(text) && Number(text.replaceAll('"', '')) > 1e9);
}

/** Every scalar of a value, as text, by place. */
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

/** The JSON value of a response, or its text. */
export function bodyOf({ response }: Exchange): unknown {
  return response?.body.json.ok ? response.body.json.value : response?.body.text;
}
