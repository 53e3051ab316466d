/** Whether a name matches a glob: `*` any text, `?` one character, case-insensitive. */
export function globMatches(glob: string, name: string): boolean {
  return new RegExp(`^${globSource(glob)}$`, 'isu').test(name);
}

/** A glob as the source of a regular expression. */
export function globSource(glob: string): string {
  return RegExp.escape(glob).replaceAll('\\*', '.*').replaceAll('\\?', '.');
}
