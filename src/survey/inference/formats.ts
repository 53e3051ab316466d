const formats: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  uri: /^https?:\/\/[^\s/]+(\/\S*)?$/,
};

/** The JSON Schema formats that a text has; of them all only those that can hardly be an accident. */
export function formatsOf(text: string): string[] {
  return Object.keys(formats).filter((name) => formats[name]?.test(text));
}
