import { isStray } from '../files/parse-variables.ts';
import { didYouMean } from '../sentence-parts.ts';

export interface KeyEntry<T = unknown> {
  readonly check: (value: string) => Checked<T>;
  readonly meaning: string;
  readonly required?: boolean;
  readonly fallback?: string;
  /** Returns the parts of a value that are credentials, so that they can be masked. */
  readonly secrets?: (value: string) => readonly string[];
}

/** The problem with a key; never contains a secret value. */
export interface KeyProblem {
  readonly key: string;
  readonly text: string;
}

export type Report = (key: string, text: string) => void;

/**
 * Returns the checked values of `given`, and all problems. If `channel` (an alert channel) is given, no problem shows a value, because it
 * may be secret.
 */
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

/** The unrecognised keys of `given`, each with the known key that was probably meant, if any is similar. */
export function unknownKeys(given: Readonly<Record<string, string>>, known: readonly string[]): KeyProblem[] {
  const unknown = Object.keys(given).filter((key) => !known.includes(key));
  return unknown.map((key) => {
    const word = isStray(key) ? (given[key] ?? '') : key;
    // A line that isn't KEY=value may contain a secret, so its text is never shown.
    const text = isStray(key) ? 'is not KEY=value, so it would be ignored' : 'is not a recognised key';
    return { key, text: `${text}${didYouMean(word, known)}` };
  });
}

/** The value that a check has read, or its problem. `instead` is the text that the user probably meant. */
export type Checked<T> = { readonly value: T } | { readonly problem: string; readonly instead?: string };

export function wrong(value: string, problem: string): { problem: string } {
  return { problem: `${JSON.stringify(value)} ${problem}` };
}

/** The parts of a list, trimmed, without empty parts. */
export function partsOf(value: string, separator = ','): string[] {
  return value
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);
}

/** A check for one of a few words; `problem` describes any other value. */
export function oneOf<const T extends string>(
  words: readonly T[],
  problem = `is not one of ${words.join(', ')}`,
): (value: string) => Checked<T> {
  return (value) => {
    const found = words.find((word) => word === value);
    return found === undefined ? wrong(value, problem) : { value: found };
  };
}

/** Placeholders that people leave in place of a value: the message about each kind, and the pattern that recognises it. */
const PLACEHOLDERS = {
  'is JSON, and not the value alone; put only the value here': /^\{\s*"[^"]*"\s*:.*\}$/s,
  'is still the placeholder; put your own value here':
    /^(?:your[-_. ].*|<[^<>]*>|\{.*\}|\$\{\{.*\}\}|change[-_]?me|todo|x{3,10}|\.{3}|…)$/i,
  // Names of variables, as shells, CI systems and template engines write them. `$name` in small letters is not among them, because it may
  // be a password.
  'is the name of a variable, which nothing has replaced: variables are not expanded here; put the value itself here':
    /^(?:\$\{[^{}]*\}|\${1,2}[A-Z_][A-Z\d_]*|\$env:\w+|\$[([][A-Z_][\w.-]*[)\]]|[%!][A-Z_][A-Z\d_]*[%!]|%\{\w+\}|#\{\w+\}#?|__[A-Z][A-Z\d_]*__|@@?[A-Z][A-Z\d_]*@@?|\(\([\w.-]+\)\)|<%.*%>)$/,
  'is a mask, as logs show it in place of a secret; put the secret itself here':
    /^(?:\*{3,}|[•●]{3,}|[[(](?:masked|redacted|filtered|hidden|secure|protected|secret)[\])]|redacted|__\w*REDACTED__)$/i,
  'is what a program prints for a value that it does not have; put the value itself here':
    /^(?:undefined|\[object \w+\])$/,
};

/** The message about a value that is an example, the name of a variable or a mask. The message doesn't contain the value. */
export function placeholderText(value: string): string | undefined {
  const bare = value
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .replace(/^bearer\s+/i, '');
  return Object.entries(PLACEHOLDERS).find(([, pattern]) => pattern.test(bare))?.[0];
}

/** The problem with a value that isn't secret, if it is a placeholder. */
export function placeholderProblem(value: string): { readonly problem: string } | undefined {
  const text = placeholderText(value);
  if (text === undefined) return undefined;
  return {
    problem: text.replace('placeholder', `placeholder ${value}`).replace('is the name', `is ${value}, the name`),
  };
}

/**
 * Why a value is suspicious: it can be sent, but the user probably meant another one. The message doesn't contain the value. `isToken`:
 * Sextant sends the word Bearer before the value.
 */
export function suspicion(value: string, { isSecret = false, isToken = false } = {}): string | undefined {
  if (/^(["'`]).*\1$/s.test(value)) return 'is in quotes, which are sent with it; leave them out';
  if (isToken && /^(?:authorization\s*:|bearer\s)/i.test(value))
    return 'begins with the word Bearer, which is sent before it anyway; leave it out';
  if (isToken && /\s/.test(value)) return 'contains a blank, which no token does';
  if (isSecret && /^(?:(?:export\s+)?[A-Z][A-Z\d_]{3,}=(?!=?$)|(?:x|mm)-[a-z-]+:)/.test(value))
    return 'begins with a name and "=", which are sent with it; leave them out if they are not part of it';
  if (/\$\{\w+\}|\$\(\w+\)/.test(value)) return 'contains a variable, but variables are not expanded here';
  if (isSecret && /^(?:\$\w+|%\w+%)$/.test(value)) return 'may be the name of a variable, which nothing has replaced';
  if (isSecret && /^(?:op|vault|ssm|gcp-sm|ref\+\w+):\/\/|^arn:aws:secretsmanager:/.test(value))
    return 'may be the name of a secret in a store; a program that reads it goes into the key with _COMMAND at its end';
  if (isSecret && /\*{3,}|[•●]{3,}/.test(value)) return 'contains a mask, as logs show it in place of a secret';
  return undefined;
}
