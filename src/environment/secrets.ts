import { isAbsolute, join } from 'node:path';
import { Secret } from '../redaction/index.ts';
import { attempt, type Problem } from './configuration-error.ts';
import { type FileRole, fileRoles, readText } from './files/index.ts';
import { type KeyProblem, placeholderText, suspicion } from './keys/check-keys.ts';
import { type CredentialKey, credentialKeys, type SecretKey, secretKeys } from './keys/keys.ts';
import { secretProblem } from './keys/values.ts';

/** Minimum length of a secret, in characters. Masking a shorter text would also mask ordinary words. */
export const SHORTEST_SECRET = 8;

const PROCESS = 'process environment';

type Raw = Readonly<Record<string, string>>;
type Sources = Readonly<Record<string, string | undefined>>;

interface SourceFile {
  readonly file: string;
  readonly folder: string;
  readonly raw: Raw;
}

interface SecretSources {
  readonly environment: string;
  readonly isLoopback: boolean;
  readonly own: SourceFile;
  readonly secret: SourceFile;
  readonly process: Sources;
}

/** The name of a secret in the process environment: STAGING_ACCESS_TOKEN. */
export function processKey(environment: string, key: SecretKey): string {
  return `${environment.toUpperCase().replaceAll('-', '_')}_${key}`;
}

/** `ACCESS_TOKEN_COMMAND`: the key with the command that issues a credential. */
export const commandKey = (key: string) => `${key}_COMMAND`;

/**
 * Looks for the secrets of an environment in this order: process environment, `<name>.secret.env`, own file. In each of these places, a key
 * `<KEY>_FILE` may name a file with the secret. Only a loopback environment's own file may contain secrets itself.
 */
export function findSecrets({ environment, isLoopback, own: ownSource, secret, process }: SecretSources) {
  const secrets: Partial<Record<SecretKey, Secret>> = {};
  const commands: Partial<Record<CredentialKey, string>> = {};
  const readFrom: Partial<Record<SecretKey, string>> = {};
  const problems: Problem[] = [];
  const suspicions: Problem[] = [];
  const names = Object.keys(secretKeys) as SecretKey[];
  const read = (raw: Sources, keyOf: (key: SecretKey) => string, file: string, folder?: string) => {
    const { given, problems: found } = withSecretFiles(raw, names.map(keyOf), fileRoles.secrets, folder);
    problems.push(...found.map((problem) => ({ file, ...problem })));
    const at = (key: string) => (raw[fileKey(key)]?.trim() ? fileKey(key) : key);
    return (key: SecretKey) => ({ file, at: at(keyOf(key)), given: given[keyOf(key)] });
  };
  const itself = (key: SecretKey) => key;
  const ofProcess = (key: SecretKey) => processKey(environment, key);
  // A committed file must not contain a secret, but it may name the file of a secret.
  const withoutSecrets = { ...ownSource.raw, ...Object.fromEntries(names.map((key) => [key, undefined])) };
  const places = [
    read(process, ofProcess, PROCESS),
    read(secret.raw, itself, secret.file, secret.folder),
    read(withoutSecrets, itself, ownSource.file, ownSource.folder),
    (key: SecretKey) => ({ file: ownSource.file, at: key, given: isLoopback ? ownSource.raw[key] : undefined }),
  ];
  for (const key of names) {
    if (ownSource.raw[key] && !isLoopback) {
      const text = `is a secret, and this file belongs to the repository; remove it here, replace the secret, and set it as ${ofProcess(key)} or in ${secret.file}`;
      problems.push({ file: ownSource.file, key, text });
    }
    const { file, at, given } = places.map((place) => place(key)).find(({ given }) => given) ?? {};
    if (!file || !given) continue;
    readFrom[key] = placeText(at, file);
    // HTTP removes spaces at both ends of a header's value, so a secret must not depend on them.
    const value = key === 'CLIENT_KEY' ? pemOf(given.trim()) : given.trim();
    const problem = (credentialKeys as readonly string[]).includes(key) ? problemOfSecret(value) : problemOfKept(value);
    if (problem) problems.push({ file, key, text: problem });
    else secrets[key] = new Secret(value);
    const odd = suspicion(value, { isSecret: true, isToken: key.endsWith('ACCESS_TOKEN') });
    if (!problem && odd && key !== 'CLIENT_KEY') suspicions.push({ file, key, text: odd });
  }
  for (const key of credentialKeys) {
    const named = commandKey(ofProcess(key));
    const [file, at, given] =
      [
        [PROCESS, named, process[named]] as const,
        ...[secret, ownSource].map(({ file, raw }) => [file, commandKey(key), raw[commandKey(key)]] as const),
      ].find(([, , given]) => given) ?? [];
    const command = given?.trim();
    if (command && secrets[key])
      problems.push({
        file: ownSource.file,
        key: commandKey(key),
        text: `is set as well as ${key}; remove one of them`,
      });
    else if (command) {
      commands[key] = command;
      readFrom[key] = placeText(at, file);
    }
  }
  return { secrets, commands, readFrom, problems, suspicions };
}

/** The place of a secret in words: `QA_ACCESS_TOKEN` for a variable of the process, otherwise `ACCESS_TOKEN in environments/qa.env`. */
function placeText(key = '', file = PROCESS): string {
  return file === PROCESS ? key : `${key} in ${file}`;
}

/** Restores line breaks in a PEM key. CI systems hold it in a variable of one line, with the two characters `\n` for each line break. */
function pemOf(text: string): string {
  return text.startsWith('-----BEGIN') && !text.includes('\n') ? text.replaceAll('\\n', '\n') : text;
}

/** The problem with the value of a secret that a header carries. The text never contains the value. */
export function problemOfSecret(value: string): string | undefined {
  return problemOfKept(value) ?? secretProblem(value);
}

/** The problem with the value of a secret that no header carries. The text never contains the value. */
export function problemOfKept(value: string): string | undefined {
  const placeholder = placeholderText(value);
  if (placeholder) return placeholder.replace('is still the', 'is still a');
  if (value === '') return 'is blank';
  if (value.length >= SHORTEST_SECRET) return undefined;
  return `has fewer than ${SHORTEST_SECRET} characters and can't be masked safely in reports`;
}

const MAX_BYTES = 64_000;

/** `ACCESS_TOKEN_FILE`: the file that holds the value of a key, as Docker and Kubernetes mount secrets. */
export const fileKey = (key: string) => `${key}_FILE`;

/** `given` with the content of the files that `<KEY>_FILE` names, relative to `folder`. Problems never contain the content of a file. */
export function withSecretFiles(
  given: Sources,
  keys: readonly string[],
  role: FileRole,
  folder = '.',
): { readonly given: Record<string, string | undefined>; readonly problems: KeyProblem[] } {
  const foundVariables: Record<string, string | undefined> = { ...given };
  const problems: KeyProblem[] = [];
  for (const key of keys) {
    const path = given[fileKey(key)]?.trim();
    delete foundVariables[fileKey(key)];
    if (!path) continue;
    const content = given[key]
      ? { problem: `is set as well as ${key}; remove one of them` }
      : contentOf(isAbsolute(path) ? path : join(folder, path), role);
    if ('problem' in content) problems.push({ key: fileKey(key), text: content.problem });
    else foundVariables[key] = content.value;
  }
  return { given: foundVariables, problems };
}

function contentOf(path: string, role: FileRole): { readonly value: string } | { readonly problem: string } {
  const value = attempt(() => readText(path, role, MAX_BYTES).trim());
  if (typeof value !== 'string') return { problem: `names a file that can't be read: ${value.message}` };
  return value === '' ? { problem: `names ${path}, which is empty` } : { value };
}
