import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../config/project-root.ts';
import { collectScenarios, type Declared, readTags } from '../scenario/index.ts';

/** A scenario from a spec file, ready to run in-process. */
export interface Scenario extends Declared {
  readonly file: string;
}

const tests = join(projectRoot, 'tests');
const collected = new Map<string, Promise<Scenario[]>>();
let collecting: Promise<unknown> = Promise.resolve();

/** The scenarios of a folder in `tests/`, in file order. Modules load only once, so the list is cached. */
export function scenarios(folder = 'scenarios'): Promise<Scenario[]> {
  // One folder at a time: a file declares its scenarios to the collector that is active while it loads.
  const found = collected.get(folder) ?? collecting.then(() => collect(join(tests, folder)));
  collected.set(folder, found);
  collecting = found.catch(() => {});
  return found;
}

/** The scenarios of every spec folder: those of tests/scenarios, and the generated ones. */
export async function allScenarios(): Promise<Scenario[]> {
  const folders = readdirSync(tests, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const found: Scenario[] = [];
  for (const { name } of folders) found.push(...(await scenarios(name)));
  return found;
}

async function collect(folder: string): Promise<Scenario[]> {
  const found: Scenario[] = [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.spec.ts'));
  for (const name of files.sort()) {
    const file = join(folder, name);
    collectScenarios((declared) => {
      // Wrong tags fail here, before anything runs.
      readTags(declared.title, declared.details.tag);
      found.push({ ...declared, file });
    });
    await import(pathToFileURL(file).href);
  }
  return found;
}
