import { join } from 'node:path';
import { isObservedOperation, type Observed, type ObservedOperation } from '../../client/index.ts';
import type { Problem } from '../configuration-error.ts';
import { fileRoles, listFolder, readText } from '../files/index.ts';
import { shown } from '../files/shown.ts';
import { workFolder } from '../project-root.ts';

/** Where surveys leave the answers that they observed; SEXTANT_OBSERVED names another folder. */
export function observedFolder(
  environment: string,
  process_: Readonly<Record<string, string | undefined>> = process.env,
): string {
  return join(process_.SEXTANT_OBSERVED ?? join(workFolder, 'schemas', 'observed'), environment);
}

/** The observed answers of an environment; a file that can't be used is a problem, never silently left out. */
export function readObserved(folder: string): { observed: Observed; problems: Problem[] } {
  const observed = new Map<string, ObservedOperation>();
  const problems: Problem[] = [];
  const files = listFolder(folder, fileRoles.observed).filter((name) => name.endsWith('.json'));
  for (const file of files.sort()) {
    const path = join(folder, file);
    const found = parse(readText(path, fileRoles.observed));
    if (found) observed.set(found.operation, found);
    else
      problems.push({
        file: shown(path),
        key: 'answers',
        text: 'are not in the format of `sextant survey`; restore the file from the repository, or run the survey again',
      });
  }
  return { observed, problems };
}

function parse(text: string): ObservedOperation | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return isObservedOperation(found) ? found : undefined;
  } catch {
    return undefined;
  }
}
