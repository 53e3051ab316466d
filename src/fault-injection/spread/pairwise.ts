/** The choices by dimension. */
export type Dimensions = Readonly<Record<string, readonly string[]>>;

/** One choice for every dimension. */
export type Row = Readonly<Record<string, string>>;

/**
 * Rows in which every two choices of different dimensions stand together at least once; the first row has the first choice of
 * each. Greedy, and the same each time: each row takes, dimension by dimension, what meets the most pairs not met yet.
 */
export function pairwise(dimensions: Dimensions): Row[] {
  const names = Object.keys(dimensions);
  const open = new Set(
    names.flatMap((a, i) =>
      names
        .slice(i + 1)
        .flatMap((b) =>
          choicesOf(dimensions, a).flatMap((x) => choicesOf(dimensions, b).map((y) => pairOf(a, x, b, y))),
        ),
    ),
  );
  const rows: Row[] = [];
  const take = (row: Row) => {
    for (const pair of pairsIn(row, names)) open.delete(pair);
    rows.push(row);
  };
  take(Object.fromEntries(names.map((name) => [name, choicesOf(dimensions, name)[0] ?? ''])));
  while (open.size > 0) take(nextRow(dimensions, names, open));
  return rows;
}

function nextRow(dimensions: Dimensions, names: readonly string[], open: ReadonlySet<string>): Row {
  // An open pair begins the row, so that every row meets one at least.
  const [a, x, b, y] = JSON.parse([...open][0] ?? '[]') as [string, string, string, string];
  const row: Record<string, string> = { [a]: x, [b]: y };
  for (const name of names.filter((each) => !(each in row))) {
    const gain = (choice: string) =>
      Object.entries(row).filter(([other, chosen]) => open.has(ordered(names, name, choice, other, chosen))).length;
    row[name] = choicesOf(dimensions, name).reduce((best, choice) => (gain(choice) > gain(best) ? choice : best));
  }
  return Object.fromEntries(names.map((name) => [name, row[name] ?? '']));
}

function choicesOf(dimensions: Dimensions, name: string): readonly string[] {
  return dimensions[name] ?? [];
}

function pairsIn(row: Row, names: readonly string[]): string[] {
  return names.flatMap((a, i) => names.slice(i + 1).map((b) => pairOf(a, row[a] ?? '', b, row[b] ?? '')));
}

function ordered(names: readonly string[], a: string, x: string, b: string, y: string): string {
  return names.indexOf(a) < names.indexOf(b) ? pairOf(a, x, b, y) : pairOf(b, y, a, x);
}

function pairOf(a: string, x: string, b: string, y: string): string {
  return JSON.stringify([a, x, b, y]);
}
