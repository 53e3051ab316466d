import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { contractFiles } from '../../environment/contract/contract-of.ts';
import { type FileRole, fileRoles, readTextIfAny } from '../../environment/files/index.ts';
import {
  attempt,
  ConfigurationError,
  environmentFiles,
  environmentsFolder,
  observedFiles,
  parseVariables,
} from '../../environment/index.ts';

const LOOK_MS = 5_000;

export interface KeepCurrentOptions<C, R extends { stop(): Promise<void> }> {
  readonly first: C;
  /** The fingerprint of the configuration when `first` was read. */
  readonly seen: string;
  /** Reads the configuration again. @throws ConfigurationError */
  readonly load: () => C | Promise<C>;
  readonly start: (configuration: C) => Promise<R>;
  /** Returns a text that changes if a file of the configuration changes. */
  readonly fingerprint: () => string;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  readonly everyMs?: number;
}

/**
 * Runs something until the signal is aborted, and restarts it if its configuration has changed. If the new configuration can't be used,
 * reports this once, and continues with the earlier configuration.
 * @throws any error of `start`, at the beginning or after a change; any error of `load` except a ConfigurationError
 */
export async function keepCurrent<C, R extends { stop(): Promise<void> }>(
  options: KeepCurrentOptions<C, R>,
): Promise<void> {
  const { load, start, fingerprint, say, signal, everyMs } = options;
  let { seen } = options;
  let running = await start(options.first);
  while (!signal.aborted) {
    await untilNextLook(signal, everyMs);
    // Compute the fingerprint before loading the files. If the files change while they are loaded, the next turn of this loop notices it.
    const found = fingerprint();
    if (signal.aborted || found === seen) continue;
    seen = found;
    const next = await usable(load);
    if (next instanceof ConfigurationError) {
      say(
        `The configuration has changed, but can't be used; the monitor continues with the earlier one. ${next.message}`,
      );
      continue;
    }
    await running.stop();
    running = await start(next);
    say('The configuration has changed: the monitor continues with the new one.');
  }
  await running.stop();
}

/** The result of `work`, or its ConfigurationError. Any other error is a bug of Sextant, and is thrown. */
async function usable<T>(work: () => T | Promise<T>): Promise<T | ConfigurationError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
}

/** Waits until it is time to read the files again, or until the signal is aborted. */
export async function untilNextLook(signal: AbortSignal, ms = LOOK_MS): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {});
}

interface ConfigurationFiles {
  readonly environments: readonly string[];
  /** The settings file; absent if none is used. */
  readonly settings?: string;
  readonly process: Readonly<Record<string, string | undefined>>;
}

/**
 * A hash of every file from which Sextant reads environments and settings: also facts, observed responses, and the files that `<KEY>_FILE`
 * and OPENAPI name.
 */
export function fingerprintOf({ environments, settings, process }: ConfigurationFiles): string {
  const hash = createHash('sha256');
  const named = Object.entries(process).flatMap(([name, path]) =>
    isSecretFile(name, environments) ? [path ?? ''] : [],
  );
  const documents: string[] = [];
  // A file that can't be read adds its error to the hash. Loading this file reports the error to the user.
  const add = (path: string, role: FileRole): string => {
    const found = attempt(() => readTextIfAny(path, role) ?? '');
    const text = found instanceof ConfigurationError ? found.message : found;
    hash.update(`${path}\0${text}\0`);
    return text;
  };
  for (const name of environments) {
    const { own, secret, facts } = environmentFiles(name);
    hash.update(`${name}\0`);
    const text = add(own, fileRoles.environment);
    add(facts, fileRoles.facts);
    for (const path of observedFiles(name)) add(path, fileRoles.observed);
    named.push(...filesIn(text, own), ...filesIn(add(secret, fileRoles.secrets), secret));
    const { OPENAPI: paths } = parseVariables(text);
    const found = attempt(() => contractFiles(paths ?? '', environmentsFolder()));
    if (!(found instanceof ConfigurationError)) documents.push(...found);
  }
  if (settings !== undefined) named.push(...filesIn(add(settings, fileRoles.settings), settings));
  for (const path of named) add(path, fileRoles.secrets);
  for (const path of documents) add(path, fileRoles.given);
  return hash.digest('hex');
}

function isSecretFile(name: string, environments: readonly string[]): boolean {
  const prefixes = ['MONITOR', ...environments.map((each) => each.toUpperCase().replaceAll('-', '_'))];
  return name.endsWith('_FILE') && prefixes.some((prefix) => name.startsWith(`${prefix}_`));
}

function filesIn(text: string, file: string): string[] {
  const named = text.matchAll(/^\s*(?:export\s+)?\w+_FILE\s*=\s*["'`]?([^\s"'`#]+)/gm);
  return [...named].map(([, path = '']) => resolve(dirname(file), path));
}
