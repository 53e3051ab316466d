import { isStray } from '../files/parse-variables.ts';
import { didYouMean } from '../words.ts';

export interface KeyEntry<T = unknown> {
  readonly check: (value: string) => Checked<T>;
  readonly meaning: string;
  readonly required?: boolean;
  readonly fallback?: string;
}

/** The problem with a key; never contains a secret value. */
export interface KeyProblem {
  readonly key: string;
  readonly text: string;
}

export type Report = (key: string, text: string) => void;

/** The checked values of `given`, and all problems. Values that may be secret, as those of `channel`, are in no message. */
export function checkKeys(
  keys: Readonly<Record<string, KeyEntry>>,
  given: Readonly<Record<string, string | undefined>>,
  channel?: string,
): { readonly values: Record<string, unknown>; readonly problems: KeyProblem[] } {
  const values: Record<string, unknown> = {};
  const problems: KeyProblem[] = [];
  for (const [key, { check, meaning, required = false, fallback }] of Object.entries(keys)) {
    const text = given[key]?.trim() || fallback;
    if (text === undefined) {
      const purpose = channel === undefined ? '' : ` for channel ${channel}`;
      if (required) problems.push({ key, text: `is missing${purpose}; expected: ${meaning}` });
      continue;
    }
    const checked = (channel === undefined ? placeholderProblem(text) : undefined) ?? check(text);
    if ('value' in checked) values[key] = checked.value;
    else
      problems.push({
        key,
        text: channel === undefined ? checked.problem : `${checked.problem}; expected: ${meaning}`,
      });
  }
  return { values, problems };
}

/** The unrecognised keys of `given`, each with a suggestion. */
export function unknownKeys(given: Readonly<Record<string, string>>, known: readonly string[]): KeyProblem[] {
  const unknown = Object.keys(given).filter((key) => !known.includes(key));
  return unknown.map((key) => {
    const word = isStray(key) ? (given[key] ?? '') : key;
    // The word itself may be a secret, and never is shown where it isn't a key.
    const text = isStray(key) ? 'is not KEY=value, so it would be ignored' : 'is not a recognised key';
    return { key, text: `${text}${didYouMean(word, known)}` };
  });
}

/** A value that was read, or what is wrong with it, with the text that is probably meant. */
export type Checked<T> = { readonly value: T } | { readonly problem: string; readonly instead?: string };

export function wrong(value: string, problem: string): { problem: string } {
  return { problem: `${JSON.stringify(value)} ${problem}` };
}

/** The parts of a list that hold something. */
export function partsOf(value: string, separator = ','): string[] {
  return value
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);
}

/** A check for one of a few words; `problem` is said of any other. */
export function oneOf<const T extends string>(
  words: readonly T[],
  problem = `is not one of ${words.join(', ')}`,
): (value: string) => Checked<T> {
  return (value) => {
    const found = words.find((word) => word === value);
    return found === undefined ? wrong(value, problem) : { value: found };
  };
}

/** Whether a value is one that examples hold: `your-client-id`, `<token>`, `{{user_id}}`, `changeme`. */
export function isPlaceholder(value: string): boolean {
  return /^(?:your[-_. ].*|<[^<>]*>|\$?\{.*\}|change[-_]?me|todo|x{3,10}|\.{3}|…)$/i.test(value.trim());
}

/** The problem with a value that isn't secret, if it is a placeholder. */
export function placeholderProblem(value: string): { readonly problem: string } | undefined {
  return isPlaceholder(value) ? { problem: `is still the placeholder ${value}; put your own value here` } : undefined;
}
