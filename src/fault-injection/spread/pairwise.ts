/** The choices by dimension. */
export type Dimensions = Readonly<Record<string, readonly string[]>>;

/** One choice for every dimension. */
export type Row = Readonly<Record<string, string>>;

/**
 * Rows in which every two choices of different dimensions stand together at least once; the first row has the first choice of
 * each. Greedy, and the same each time: each row takes, dimension by dimension, what meets the most pairs not met yet.
 */
export function pairwise(dimensions: Dimensions): Row[] {
  let open: Row[] = Object.entries(dimensions).flatMap(([a, ofA], i, all) =>
    all.slice(i + 1).flatMap(([b, ofB]) => ofA.flatMap((x) => ofB.map((y) => ({ [a]: x, [b]: y })))),
  );
  const rows = [Object.fromEntries(Object.entries(dimensions).map(([name, [first = '']]) => [name, first]))];
  for (const row of rows) {
    open = open.filter((pair) => !isIn(row, pair));
    // An open pair begins the next row, so that every row meets one at least.
    if (open[0]) rows.push(rowFrom(open[0], dimensions, open));
  }
  return rows;
}

function rowFrom(pair: Row, dimensions: Dimensions, open: readonly Row[]): Record<string, string> {
  let row = pair;
  for (const [name, choices] of Object.entries(dimensions).filter(([each]) => !(each in pair))) {
    const ofName = open.filter((each) => name in each);
    const gain = (choice: string) => ofName.filter((each) => isIn({ ...row, [name]: choice }, each)).length;
    row = { ...row, [name]: choices.reduce((best, choice) => (gain(choice) > gain(best) ? choice : best)) };
  }
  return Object.fromEntries(Object.keys(dimensions).map((name) => [name, row[name] ?? '']));
}

const isIn = (row: Row, pair: Row) => Object.entries(pair).every(([name, choice]) => row[name] === choice);
