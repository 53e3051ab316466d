/** The ways to an operation of a document. */
export interface Listed {
  /** In upper case. */
  readonly method: string;
  /** As the document has it, below its server: `/friends/block/{offset}`. */
  readonly path: string;
  /** The paths of its servers: `/v1`. */
  readonly bases: readonly string[];
}

/** An operation that is looked for. */
export interface Wanted {
  readonly method: string;
  /** `/v1/friends/block/{n1}/{n2}`. */
  readonly path: string;
  /** The path of the environment's base address: `/api`, or empty. */
  readonly prefix: string;
}

/**
 * The document's operation for one that is looked for, by method and path; names of parameters don't count. A path below the
 * environment's prefix goes before one without it, and that before one with another prefix; a literal segment goes before a
 * parameter. `undefined` where there is none, or where two are equally good.
 */
export function matchOperation<T extends Listed>(wanted: Wanted, listed: readonly T[]): T | undefined {
  const ranked = listed
    .filter(({ method }) => method === wanted.method)
    .map((each) => ({ each, rank: Math.max(...['', ...each.bases].map((base) => rankOf(base + each.path, wanted))) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank);
  const [best, second] = ranked;
  return best && best.rank !== second?.rank ? best.each : undefined;
}

/** Thousands for the kind of match, ones for its literal segments; 0 for none. */
function rankOf(path: string, { path: own, prefix }: Wanted): number {
  const given = segments(path);
  const [short, long] = [segments(own), segments(`${prefix}${own}`)];
  if (prefix !== '' && fits(given, long)) return 3_000 + literals(given);
  if (fits(given, short)) return 2_000 + literals(given);
  const rest = given.slice(given.length - short.length);
  return given.length > short.length && fits(rest, short) ? 1_000 + literals(rest) : 0;
}

function segments(path: string): string[] {
  return path
    .replace(/[?#].*$/s, '')
    .split('/')
    .filter(Boolean);
}

/** A parameter of the document stands for anything, a literal for itself. */
function fits(given: readonly string[], own: readonly string[]): boolean {
  return given.length === own.length && given.every((each, index) => isParameter(each) || each === own[index]);
}

function literals(given: readonly string[]): number {
  return given.filter((each) => !isParameter(each)).length;
}

function isParameter(segment: string): boolean {
  return /^\{[^{}]*\}$/.test(segment);
}
