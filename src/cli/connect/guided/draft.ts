import {
  type Checked,
  type KeyName,
  keys,
  placeholderProblem,
  problemOfSecret,
  type SecretKey,
  secretKeys,
  variableLine,
} from '../../../config/index.ts';

/** Why an address or an id must not hold a secret: its file is for git. */
const FOR_GIT = 'is or contains a secret, but this value goes into the file that is for git';

/** An environment while it is put together: checked values and secrets, by key. */
export class Draft {
  readonly values = new Map<string, string>();
  readonly secrets = new Map<string, string>();
  /** What a refused value was probably meant to be. */
  readonly offers = new Map<string, string>();
  /** More about a value, for the comment above it. */
  readonly notes = new Map<string, string>();

  has(key: string): boolean {
    return this.values.has(key) || this.secrets.has(key);
  }

  /** Checks a value for a key, as loading its file would. The problem never shows a secret. */
  check(key: KeyName | SecretKey, value: string): Checked<unknown> {
    if (variableLine(key, value) === undefined) return { problem: 'contains characters that its file cannot hold' };
    if (isSecretKey(key)) {
      const problem = problemOfSecret(value);
      if (problem) return { problem };
      return [...this.values.values()].some((other) => other.includes(value))
        ? { problem: 'was entered for another key, too, which goes into the file that is for git' }
        : { value };
    }
    const isSecret = [...this.secrets.values()].some((secret) => value.includes(secret));
    if (isSecret) return { problem: FOR_GIT };
    return placeholderProblem(value) ?? keys[key].check(value);
  }

  /** Sets a value from elsewhere, or returns its problem; a likely correction is offered when the key is asked for. */
  take(key: KeyName | SecretKey, value: string): string | undefined {
    const checked = this.check(key, value);
    if (!('problem' in checked)) {
      this.set(key, value);
      return undefined;
    }
    if (checked.instead !== undefined) this.offers.set(key, checked.instead);
    return checked.problem;
  }

  /** Sets a value that was checked. */
  set(key: KeyName | SecretKey, value: string): void {
    (isSecretKey(key) ? this.secrets : this.values).set(key, value);
  }

  remove(key: string): void {
    this.values.delete(key);
    this.secrets.delete(key);
  }
}

export function isSecretKey(key: string): key is SecretKey {
  return Object.hasOwn(secretKeys, key);
}

export function isKey(key: string): key is KeyName | SecretKey {
  return isSecretKey(key) || Object.hasOwn(keys, key);
}
