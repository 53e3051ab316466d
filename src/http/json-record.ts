type Check = readonly [what: string, holds: (value: unknown) => boolean];

const text: Check = ['a text', (value) => typeof value === 'string' && value.trim() !== ''];
const day: Check = ['a day, e.g. 2027-01-31', isDay];

/** Checks for the values of a field of a record; `?` means that the field may be absent. */
const checks = { text, 'text?': text, day } as const;

/** Describes in words every problem of a record that was read from a file. A field that `fields` doesn't name is a problem, too. */
export function recordProblems(record: unknown, fields: Readonly<Record<string, keyof typeof checks>>): string[] {
  const names = Object.keys(fields);
  if (!isRecord(record)) return [`must be a record of ${names.join(', ')}`];
  return [
    ...Object.keys(record)
      .filter((name) => !names.includes(name))
      .map((name) => `${JSON.stringify(name.slice(0, 40))} is not one of ${names.join(', ')}`),
    ...Object.entries(fields).flatMap(([name, kind]) => {
      const [what, holds] = checks[kind];
      if (record[name] === undefined) return kind.endsWith('?') ? [] : [`${name} is missing`];
      return holds(record[name]) ? [] : [`${name} must be ${what}`];
    }),
  ];
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDay(value: unknown): boolean {
  const at = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === value;
}
