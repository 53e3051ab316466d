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
