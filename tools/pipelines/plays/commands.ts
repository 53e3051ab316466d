/** A call of Sextant in a pipeline, and the codes that it may end with. */
export interface Call {
  readonly line: string;
  readonly codes: readonly number[];
}

/** Every command, on the environment `own-users` and on `down`, which nothing listens for. */
export const calls: readonly Call[] = [
  { line: 'sextant test --env own-users --yes --area storage', codes: [0] },
  { line: 'sextant test --env down --yes --area storage', codes: [1] },
  { line: 'sextant report --site "$SITE"', codes: [0] },
  { line: 'sextant check --env own-users --yes', codes: [0] },
  { line: 'sextant check --env down --yes', codes: [1] },
  { line: 'sextant check --env own-users --yes --json', codes: [0] },
  { line: 'sextant survey --env own-users --yes', codes: [0] },
  { line: 'sextant compare own-users own-users', codes: [0] },
  { line: 'sextant openapi --env own-users', codes: [0] },
  { line: 'sextant drill --fault love-done-but-404', codes: [0, 1] },
  { line: 'sextant environments list', codes: [0] },
  { line: 'sextant environments check own-users', codes: [0] },
  { line: 'sextant undo --env own-users', codes: [0] },
  { line: 'timeout -s INT 8 sextant monitor --env own-users --yes --port 0', codes: [0, 124, 130] },
  { line: 'timeout -s INT 4 sextant serve --port 0', codes: [0, 124, 130] },
];

/** The line as a user types it. */
export function asTyped({ line }: Call): string {
  return line.replace('sextant', 'npx sextant');
}
