import { hash } from 'node:crypto';
import { join } from 'node:path';
import { isObservedOperation } from '../call/drift/observed-shape.ts';
import { parsedJson } from '../http/json.ts';
import type { Observed, ObservedOperation } from '../verdict/index.ts';
import { attempt, ConfigurationError } from './configuration-error.ts';
import { fileRoles, listFolder, readText } from './files/index.ts';
import { workFolder } from './project-root.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The folder in which surveys store the responses that they observed. SEXTANT_OBSERVED names another folder. */
export function observedFolder(environment: string, env: Variables = process.env): string {
  return join(env.SEXTANT_OBSERVED || join(workFolder, 'schemas', 'observed'), environment);
}

/**
 * The files of observed responses, one for each operation. Returns none if the folder can't be read; loading the environment reports that.
 */
export function observedFiles(environment: string): string[] {
  const folder = observedFolder(environment);
  const found = attempt(() => jsonFilesIn(folder));
  return found instanceof ConfigurationError ? [] : found;
}

function jsonFilesIn(folder: string): string[] {
  const names = listFolder(folder, fileRoles.observed).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => join(folder, name));
}

/** The observed responses of an environment. A file that can't be used is reported as a problem, never silently skipped. */
export function readObserved(folder: string, report: ReportOfFile = () => {}): Observed {
  const observed = new Map<string, ObservedOperation>();
  for (const path of jsonFilesIn(folder)) {
    const found = observedIn(readText(path, fileRoles.observed));
    if (found) observed.set(found.operation, found);
    else report(path, 'answers', UNUSABLE);
  }
  return observed;
}

/**
 * Parsed files by the hash of their text. An environment is loaded often. If each load returns the same object, its schemas are compiled
 * only once.
 */
const known = new Map<string, ObservedOperation | undefined>();

function observedIn(text: string): ObservedOperation | undefined {
  const id = hash('sha256', text);
  if (known.has(id)) return known.get(id);
  const found = parsedJson(text);
  const usable = isObservedOperation(found) ? found : undefined;
  known.set(id, usable);
  return usable;
}

type ReportOfFile = (path: string, key: string, text: string) => void;

const UNUSABLE =
  'are not in the format of `sextant survey`; restore the file from the repository, or run the survey again';
