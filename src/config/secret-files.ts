import type { KeyProblem } from './check-keys.ts';
import { type FileRole, FileTrouble, readText } from './files/index.ts';

type Given = Readonly<Record<string, string | undefined>>;

/** A longer file is not a secret. */
const MAX_BYTES = 64_000;

/** `ACCESS_TOKEN_FILE`: the file that holds the value of a key, as Docker and Kubernetes mount secrets. */
export const fileKey = (key: string) => `${key}_FILE`;

/** `given` with the content of the file that `<KEY>_FILE` names in place of it, for each of `keys`. Problems never show a content. */
export function withSecretFiles(
  given: Given,
  keys: readonly string[],
  role: FileRole,
): { readonly given: Record<string, string | undefined>; readonly problems: KeyProblem[] } {
  const found: Record<string, string | undefined> = { ...given };
  const problems: KeyProblem[] = [];
  for (const key of keys) {
    const path = given[fileKey(key)]?.trim();
    delete found[fileKey(key)];
    if (!path) continue;
    const content = given[key] ? { problem: `is set as well as ${key}; remove one of them` } : contentOf(path, role);
    if ('problem' in content) problems.push({ key: fileKey(key), text: content.problem });
    else found[key] = content.value;
  }
  return { given: found, problems };
}

function contentOf(path: string, role: FileRole): { readonly value: string } | { readonly problem: string } {
  try {
    const value = readText(path, role, MAX_BYTES).trim();
    return value === '' ? { problem: `names ${path}, which is empty` } : { value };
  } catch (error) {
    if (error instanceof FileTrouble) return { problem: `names a file that can't be read: ${error.message}` };
    throw error;
  }
}
