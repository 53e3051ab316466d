import { shown } from '../../../environment/files/file-trouble.ts';
import { fileRoles, isThere } from '../../../environment/files/index.ts';
import {
  type Checked,
  ConfigurationError,
  environmentFiles,
  type KeyName,
  keys,
  placeholderProblem,
  problemOfSecret,
  type SecretKey,
  secretKeys,
  variableLine,
} from '../../../environment/index.ts';
import { importSource, type Mapping, readSource } from '../../import/index.ts';
import type { Asker } from './asker.ts';

export type Draft = ReturnType<typeof newDraft>;

/** A new environment while the guided start collects its keys: checked values and secrets, by key. */
export function newDraft() {
  const values = new Map<string, string>();
  const secrets = new Map<string, string>();

  /** Checks a value as the loader of the environment's file would. The problem never shows a secret. */
  function check(key: KeyName | SecretKey, value: string): Checked<unknown> {
    if (variableLine(key, value) === undefined)
      return { problem: 'contains characters that an environment file can’t contain' };
    if (isSecretKey(key)) {
      const problem = problemOfSecret(value);
      if (problem) return { problem };
      return [...values.values()].some((other) => other.includes(value))
        ? { problem: 'was entered for another key, too, which is written to the file that git keeps' }
        : { value };
    }
    const [secret] = [...secrets].find(([, each]) => value.includes(each)) ?? [];
    if (secret)
      return {
        problem: `is or contains what was entered for ${secret}, but this key is written to the file that git keeps`,
      };
    return placeholderProblem(value) ?? keys[key].check(value);
  }

  return {
    values,
    secrets,
    check,
    set: (key: KeyName | SecretKey, value: string) => void (isSecretKey(key) ? secrets : values).set(key, value),
    has: (key: string) => values.has(key) || secrets.has(key),
    remove: (key: string): void => {
      values.delete(key);
      secrets.delete(key);
    },
  };
}

export function isSecretKey(key: string): key is SecretKey {
  return Object.hasOwn(secretKeys, key);
}

export function isKey(key: string): key is KeyName | SecretKey {
  return isSecretKey(key) || Object.hasOwn(keys, key);
}

export interface Interview {
  readonly asker: Asker;
  readonly name: string;
  readonly draft: Draft;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @throws ConfigurationError if an environment of this name exists, unless `force` allows replacing it */
export function assertFree(name: string, force: boolean): void {
  const { own, secret } = environmentFiles(name);
  const taken = isThere(own, fileRoles.environment) ? own : isThere(secret, fileRoles.secrets) ? secret : undefined;
  if (taken === undefined || force) return;
  throw new ConfigurationError(
    `${shown(taken)} exists already. Correct it there (npx sextant doctor --env ${name} says what is wrong), or replace it with --force; --from ${shown(taken)} starts from its values.`,
  );
}

/**
 * Takes every value that it can from files or curl commands.
 * @throws ConfigurationError if one of them can't be read, or contains nothing that can be taken
 */
export function takeSources(interview: Interview, sources: readonly string[], mapping: Mapping): void {
  for (const source of sources) take(interview, source, mapping);
}

function take({ asker, draft }: Interview, source: string, mapping: Mapping): void {
  const { kind, secrets, values, ignored } = importSource(readSource(source), mapping);
  const taken: string[] = [];
  const left = [...ignored];
  // Take the secrets before the values: the draft then recognises a value that contains a secret, and keeps it out of the file that is
  // committed to git.
  for (const [key, value] of [...secrets, ...values]) {
    const problem = isKey(key) ? whyNot(draft, key, value) : 'is not a recognised key';
    if (problem) left.push(`${key} ${problem}`);
    else taken.push(key);
    if (!problem && isKey(key)) draft.set(key, value);
  }
  asker.say(`  ${kind}: took ${taken.join(', ') || 'nothing'}.`);
  for (const line of left) asker.say(`  left out: ${line}`);
}

function whyNot(draft: Draft, key: KeyName | SecretKey, value: string): string | undefined {
  if (key === 'ALLOWED_EFFECTS') return 'is the last question';
  if (draft.has(key)) return 'is known already';
  const checked = draft.check(key, value);
  return 'problem' in checked ? checked.problem : undefined;
}
