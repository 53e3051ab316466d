/** More are counted. */
const NAMED = 3;

/** `staging` · `staging and production` · `a, b and 48 more environments`. */
export function environmentsText(names: readonly string[]): string {
  if (names.length > NAMED)
    return `${names.slice(0, NAMED - 1).join(', ')} and ${names.length - NAMED + 1} more environments`;
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
