import { isDeepStrictEqual } from 'node:util';
import { type ApiResponse, excerpt, inside, recordsIn, valueAt } from '../../client/index.ts';

/** The names that a response may give a field of the profile (document, part 2; `avartarUrl` is spelled so there). */
const fieldNames = {
  status: /status/i,
  url: /ur[il]$|image|picture|photo|href|^ava[rt]*ar$/i,
  gender: /gender|^sex$/i,
} as const;

export type ShownField = keyof typeof fieldNames;

export type WrittenProfile = { readonly name?: string } & Partial<Record<ShownField, string | number>>;

/** The result of a matcher; `message` begins with the observation. */
export interface Matched {
  readonly name: string;
  readonly pass: boolean;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly message: () => string;
}

/** The suite's matchers, in the form of Playwright's `expect.extend`: `this` shows whether `.not` was used. */
export const matchers = {
  /** Whether an id appears anywhere in a response. `.not` needs evidence: this run must have seen the list at work. */
  toMention(this: { readonly isNot: boolean }, received: ApiResponse, id: string): Matched {
    const seen = inside(received);
    const found = seen.mentions(id);
    const provesNothing = this.isNot && !found && !seen.provesAbsenceOf(id);
    seen.lacksEvidence = provesNothing;
    const where = seen.entries === undefined ? 'the response' : `${seen.entries} entries`;
    const observed = provesNothing
      ? `${JSON.stringify(id)} is not in ${where}, which proves nothing: in this run the list showed neither this id nor any other`
      : `${JSON.stringify(id)} ${found ? 'found' : 'not found'} in ${where}`;
    return matched('toMention', found || provesNothing, id, received, observed);
  },

  /** Whether a profile that was read holds a field as it was written. It need not show the field at all. */
  toShow(received: ApiResponse, field: ShownField, written: WrittenProfile): Matched {
    const { name = '', [field]: wanted = '' } = written;
    const seen = inside(received);
    const all = shownValues(seen.json, name, field);
    // A code may be shown as a word, which says nothing of its number.
    const shown = typeof wanted === 'number' ? all.filter((value) => /^(\d+|null)$/.test(value)) : all;
    const isThere = () => (typeof wanted === 'number' ? shown.includes(String(wanted)) : seen.mentions(wanted));
    const pass = shown.length === 0 || isThere();
    const observed = pass
      ? `${field} is ${shown.length === 0 ? 'not shown' : JSON.stringify(wanted)}`
      : `${field} is ${shown.map((value) => JSON.stringify(value)).join(', ')}, not ${JSON.stringify(wanted)}`;
    return matched('toShow', pass, wanted, received, observed);
  },

  toHold(received: ApiResponse, pointer: string, value: unknown): Matched {
    const found = valueAt(inside(received).json, pointer);
    const pass = isDeepStrictEqual(found, value);
    const shown = found === undefined ? 'absent' : excerpt(JSON.stringify(found), 200);
    const observed = `${pointer} is ${shown}${pass ? '' : `, not ${excerpt(JSON.stringify(value) ?? 'absent', 200)}`}`;
    return matched('toHold', pass, value, received, observed);
  },
};

function matched(name: string, pass: boolean, expected: unknown, actual: ApiResponse, observed: string): Matched {
  return { name, pass, expected, actual, message: () => inside(actual).explain(observed) };
}

/**
 * The values that a response shows under a name like `field`'s, in the record that holds `name`; none where it doesn't show
 * that field at all, which the specification leaves open.
 */
export function shownValues(root: unknown, name: string, field: ShownField): string[] {
  const holders = [...recordsIn(root)].filter((record) => Object.values(record).includes(name));
  return holders.flatMap((record) =>
    Object.entries(record)
      .filter(
        ([key, child]) =>
          fieldNames[field].test(key) && (typeof child !== 'object' || (child === null && key !== 'avatar')),
      )
      .map(([, child]) => String(child)),
  );
}
