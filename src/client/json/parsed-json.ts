/** The value of a JSON text; `undefined` for any other, and for none. */
export function parsedJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** The fields of a JSON object; none for anything else. */
export function fieldsIn(text: string | undefined): Readonly<Record<string, unknown>> {
  const found = parsedJson(text);
  return typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>) : {};
}

/** The value at a JSON Pointer (RFC 6901); `undefined` if there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  if (pointer === '') return document;
  let value = document;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Whether a content type is JSON: `application/json`, `application/problem+json; charset=utf-8`. */
export function isJsonType(contentType: string | undefined): boolean {
  return contentType !== undefined && /[/+]json\b/i.test(contentType);
}
