import { didYouMean } from './did-you-mean.ts';
import type { Checked } from './values.ts';

/** A key of a file: how its value is checked, and what it means. */
export interface KeyEntry<T = unknown> {
  readonly check: (value: string) => Checked<T>;
  readonly meaning: string;
  readonly required?: boolean;
  /** Stands in for an absent key. */
  readonly fallback?: string;
}

/** What is wrong with a key; never the value of a secret. */
export interface KeyProblem {
  readonly key: string;
  readonly text: string;
}

interface Wording {
  /** What the keys are for, where a message names it: ` for channel email`. */
  readonly purpose?: string;
  /** The values may be secret, so a message that can't show one says what is expected. */
  readonly areSecret?: boolean;
}

/** The checked values of `given` by `keys`, and everything that is wrong with them. */
export function checkKeys(
  keys: Readonly<Record<string, KeyEntry>>,
  given: Readonly<Record<string, string | undefined>>,
  { purpose = '', areSecret = false }: Wording = {},
): { readonly values: Record<string, unknown>; readonly problems: KeyProblem[] } {
  const values: Record<string, unknown> = {};
  const problems: KeyProblem[] = [];
  for (const [key, { check, meaning, required = false, fallback }] of Object.entries(keys)) {
    const text = given[key]?.trim() || fallback;
    if (text === undefined) {
      if (required) problems.push({ key, text: `is missing${purpose}; expected: ${meaning}` });
      continue;
    }
    const checked = check(text);
    if ('value' in checked) values[key] = checked.value;
    else problems.push({ key, text: areSecret ? `${checked.problem}; expected: ${meaning}` : checked.problem });
  }
  return { values, problems };
}

/** The keys of `given` that nothing reads, each with what may have been meant. */
export function unknownKeys(given: Readonly<Record<string, string>>, known: readonly string[]): KeyProblem[] {
  const unknown = Object.keys(given).filter((key) => !known.includes(key));
  return unknown.map((key) => ({ key, text: `is not a recognised key${didYouMean(key, known)}` }));
}
