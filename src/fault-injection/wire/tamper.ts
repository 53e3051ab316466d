import { fieldsIn, mentions, parsedJson } from '../../client/index.ts';

/** Changes the JSON of a body; one that isn't JSON stays as it is. */
export function inJson(body: string, change: (json: unknown) => unknown): string {
  const json = parsedJson(body);
  return json === undefined ? body : (JSON.stringify(change(json)) ?? 'null');
}

/** A JSON value without the entries that mention a token: of lists and of maps the smallest ones, elsewhere the value alone. */
export function without(value: unknown, token: string): unknown {
  if (!mentions(value, token)) return value;
  if (Array.isArray(value))
    return value.flatMap((each) =>
      !mentions(each, token) ? [each] : holdsEntries(each) ? [without(each, token)] : [],
    );
  if (typeof value !== 'object' || value === null) return null;
  const kept = Object.entries(value).filter(([key]) => !mentions(key, token));
  return Object.fromEntries(kept.map(([key, each]) => [key, without(each, token)]));
}

/** Whether there is a list in it, or a map below it, that its entries can be taken from. */
function holdsEntries(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.values(value).some((each) => Array.isArray(each));
}

/** The same JSON with every list in it empty. */
export function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, emptied(each)]));
}

/** The same JSON with null for each text that mentions a token. */
export function nulled(value: unknown, token: string): unknown {
  if (Array.isArray(value)) return value.map((each) => nulled(each, token));
  if (typeof value !== 'object' || value === null) return mentions(value, token) ? null : value;
  const entries = Object.entries(value).map(([key, each]) => [
    mentions(key, token) ? 'null' : key,
    nulled(each, token),
  ]);
  return Object.fromEntries(entries);
}

/** A response to one request as if it were to another: the texts of its body stand for the other's. */
export function retold(body: string, from: string, to: string): string {
  const after = fieldsIn(to);
  return Object.entries(fieldsIn(from)).reduce((text, [name, value]) => {
    const now = after[name];
    return typeof value === 'string' && value !== '' && typeof now === 'string'
      ? text.replaceAll(value, () => now)
      : text;
  }, body);
}
