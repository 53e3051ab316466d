import { shown } from '../../../config/files/file-trouble.ts';
import { fileRoles, isThere } from '../../../config/files/index.ts';
import { importSource, isUnfinished, type Mapping, readSource } from '../../../config/import/index.ts';
import {
  assertEnvironmentName,
  attempt,
  type Checked,
  commandKey,
  environmentFiles,
  fileKey,
  type KeyName,
  keys,
  placeholderProblem,
  problemOfSecret,
  readVariablesIfAny,
  type SecretKey,
  secretKeys,
  variableLine,
} from '../../../config/index.ts';
import { type Asker, BACK, Stopped, type TextQuestion } from './asker.ts';

export type Draft = ReturnType<typeof newDraft>;

/** An environment while it is put together: checked values and secrets, by key. */
export function newDraft() {
  const values = new Map<string, string>();
  const secrets = new Map<string, string>();
  /** What a refused value was probably meant to be. */
  const offers = new Map<string, string>();

  /** Checks a value for a key, as loading its file would. The problem never shows a secret. */
  function check(key: KeyName | SecretKey, value: string): Checked<unknown> {
    if (variableLine(key, value) === undefined) return { problem: 'contains characters that its file cannot hold' };
    if (isSecretKey(key)) {
      const problem = problemOfSecret(value);
      if (problem) return { problem };
      return [...values.values()].some((other) => other.includes(value))
        ? { problem: 'was entered for another key, too, which goes into the file that is for git' }
        : { value };
    }
    const isSecret = [...secrets.values()].some((secret) => value.includes(secret));
    if (isSecret) return { problem: 'is or contains a secret, but this value goes into the file that is for git' };
    return placeholderProblem(value) ?? keys[key].check(value);
  }

  const set = (key: KeyName | SecretKey, value: string) => void (isSecretKey(key) ? secrets : values).set(key, value);

  return {
    values,
    secrets,
    offers,
    check,
    set,
    has: (key: string) => values.has(key) || secrets.has(key),
    /** Sets a value from elsewhere, or returns its problem; a likely correction is offered when the key is asked for. */
    take: (key: KeyName | SecretKey, value: string): string | undefined => {
      const checked = check(key, value);
      if (!('problem' in checked)) return set(key, value);
      if (checked.instead !== undefined) offers.set(key, checked.instead);
      return checked.problem;
    },
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

export const issuersOf = (key: string) => [commandKey(key), fileKey(key)];
const issuerKeys = new Set(Object.keys(secretKeys).flatMap(issuersOf));

export interface Interview {
  readonly asker: Asker;
  readonly name: string;
  readonly draft: Draft;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The name of the environment. One that exists is changed only if that is wanted: then what it has is in the draft. */
export async function chooseName(asker: Asker, draft: Draft, name: string | undefined, force: boolean) {
  for (let given = name; ; given = undefined) {
    const chosen = given ?? (await asker.text(nameQuestion));
    if (chosen === BACK) continue;
    const { own, secret } = environmentFiles(chosen);
    const there = [
      ...(isThere(own, fileRoles.environment) ? [shown(own)] : []),
      ...(isThere(secret, fileRoles.secrets) ? [shown(secret)] : []),
    ];
    if (there.length === 0) return { name: chosen, exists: false };
    const next = force
      ? 'change'
      : await asker.choose(`${there.join(' and ')} ${there.length === 1 ? 'exists' : 'exist'} already.`, [
          { value: 'change', name: 'change it: Enter keeps each value; its own comments go' },
          { value: 'other', name: 'choose another name' },
          { value: 'stop', name: 'stop' },
        ]);
    if (next === 'stop') throw new Stopped('stopped');
    if (next === 'other') continue;
    const all = { ...readVariablesIfAny(secret, fileRoles.secrets), ...readVariablesIfAny(own, fileRoles.environment) };
    const filled = Object.entries(all).flatMap(([key, value]) => (value.trim() ? [[key, value.trim()] as const] : []));
    // Taken as they are, and only from its own files: another's would run a program, or send a file of this machine.
    for (const [key, value] of filled) if (issuerKeys.has(key)) draft.secrets.set(key, value);
    const others = filled.filter(([key]) => !issuerKeys.has(key));
    for (const line of takeInto(draft, others).left) asker.say(`  left out: ${line}`);
    return { name: chosen, exists: true };
  }
}

const nameQuestion: TextQuestion = {
  message: 'Name of the environment',
  format: 'letters, digits and hyphens, e.g. staging',
  check: (value) => {
    const wrong = attempt(() => assertEnvironmentName(value));
    return wrong ? { problem: wrong.message } : { value };
  },
};

/** Puts values into a draft; returns the keys that were taken, and why others were left out. */
function takeInto(
  draft: Draft,
  entries: readonly (readonly [key: string, value: string])[],
  whyNot: (key: string) => string | undefined = () => undefined,
) {
  const taken: string[] = [];
  const left: string[] = [];
  for (const [key, value] of entries) {
    const problem = isKey(key) ? (whyNot(key) ?? draft.take(key, value)) : 'is not a recognised key';
    if (problem) left.push(`${key} ${problem}`);
    else taken.push(key);
  }
  return { taken, left };
}

/** What people have of a service already, in the words of the question. */
const sourceQuestion = {
  format: 'a Postman or Bruno export, a .env, an OpenAPI document, or curl commands; Enter continues without',
  isOptional: true,
  check: (value: string) => ({ value }),
  // A command copied from a browser holds the token of its session.
  isHidden: (text: string) => CURL.test(text),
  continues: (text: string) => CURL.test(text) && (isUnfinished(text) || /[;&|]\s*$/.test(text)),
};
const CURL = /^\s*curl\s/;

/** Takes what it can from the files that are named, and from those that are asked for. */
export async function takeSources(interview: Interview, files: readonly string[], mapping: Mapping): Promise<void> {
  for (const file of files) take(interview, file, mapping);
  for (let isFirst = files.length === 0; ; isFirst = false) {
    const message = isFirst ? 'A file with requests or variables, or curl commands' : 'Another one';
    const source = await interview.asker.text({ message, ...sourceQuestion });
    if (source === '' || source === BACK) return;
    const wrong = attempt(() => take(interview, source, mapping));
    if (wrong) interview.asker.say(`  ${wrong.message}`);
  }
}

/** @throws ConfigurationError when nothing can be made of it. */
function take({ asker, draft }: Interview, source: string, mapping: Mapping): void {
  const { kind, secrets, values, ignored } = importSource(readSource(source), mapping);
  // Secrets first, so that none of them gets into the other file.
  const { taken, left } = takeInto(draft, [...secrets, ...values], (key) => {
    if (key === 'ALLOWED_EFFECTS') return 'is asked for at the end';
    return draft.has(key) ? 'is known already' : undefined;
  });
  asker.say(`  ${kind}: took ${taken.join(', ') || 'nothing'}.`);
  for (const line of [...ignored, ...left]) asker.say(`  left out: ${line}`);
}
