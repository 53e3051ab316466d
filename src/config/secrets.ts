import { Secret } from '../client/index.ts';
import type { Problem } from './configuration-error.ts';
import { secretProblem } from './header-values.ts';
import { type SecretKey, secretKeys } from './keys.ts';

/** Masking a shorter text would also mask ordinary words. */
const SHORTEST_SECRET = 8;

type Raw = Readonly<Record<string, string>>;

export interface SecretSources {
  readonly environment: string;
  readonly isLoopback: boolean;
  readonly own: { readonly file: string; readonly raw: Raw };
  readonly secret: { readonly file: string; readonly raw: Raw };
  readonly process: Readonly<Record<string, string | undefined>>;
}

/** The name of a secret in the process environment: STAGING_ACCESS_TOKEN. */
export function processKey(environment: string, key: SecretKey): string {
  return `${environment.toUpperCase().replaceAll('-', '_')}_${key}`;
}

/** The secrets from the allowed places: the process, `<name>.secret.env`, or a loopback environment's own file. */
export function findSecrets(sources: SecretSources): {
  secrets: Partial<Record<SecretKey, Secret>>;
  problems: Problem[];
} {
  const secrets: Partial<Record<SecretKey, Secret>> = {};
  const problems: Problem[] = [];
  for (const key of Object.keys(secretKeys) as SecretKey[]) {
    const { own, secret, environment, isLoopback } = sources;
    const fromProcess = processKey(environment, key);
    if (own.raw[key] && !isLoopback) {
      const text = `is a secret, and this file belongs to the repository; remove it here, replace the secret, and set it as ${fromProcess} or in ${secret.file}`;
      problems.push({ file: own.file, key, text });
    }
    const given = sources.process[fromProcess] || secret.raw[key] || (isLoopback ? own.raw[key] : undefined);
    if (!given) continue;
    // Space at either end doesn't survive in a header.
    const value = given.trim();
    const problem = shortness(value) ?? secretProblem(value);
    if (problem) problems.push({ file: placeOf(key, sources), key, text: problem });
    else secrets[key] = new Secret(value);
  }
  return { secrets, problems };
}

function shortness(value: string): string | undefined {
  if (value === '') return 'is blank';
  if (value.length >= SHORTEST_SECRET) return undefined;
  return `has fewer than ${SHORTEST_SECRET} characters and can't be masked safely in reports`;
}

/** Where a secret was taken from. */
function placeOf(key: SecretKey, { environment, own, secret, process }: SecretSources): string {
  if (process[processKey(environment, key)]) return 'process environment';
  return secret.raw[key] ? secret.file : own.file;
}
