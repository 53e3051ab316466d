import { Secret } from '../client/index.ts';
import type { Problem } from './configuration-error.ts';
import { type SecretKey, secretKeys } from './keys.ts';

/** A shorter text can't be told from ordinary words when it is looked for in order to mask it. */
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

/** The secrets from where they may stand: the process, `<name>.secret.env`, or a loopback environment's own file. */
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
    const value = sources.process[fromProcess] || secret.raw[key] || (isLoopback ? own.raw[key] : undefined);
    if (!value) continue;
    if (value.length < SHORTEST_SECRET) {
      problems.push({
        file: own.file,
        key,
        text: `has fewer than ${SHORTEST_SECRET} characters and can't be masked safely in reports`,
      });
    } else if (/[^\x20-\x7e]/.test(value)) {
      problems.push({ file: own.file, key, text: 'contains a character that is not allowed in a header' });
    } else {
      secrets[key] = new Secret(value);
    }
  }
  return { secrets, problems };
}
