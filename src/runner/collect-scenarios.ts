import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../config/project-root.ts';
import { collectScenarios, type Declared, readTags } from '../scenario/index.ts';

/** A scenario out of a spec file, ready to be run in-process. */
export interface Scenario extends Declared {
  readonly file: string;
}

const tests = join(projectRoot, 'tests');
const collected = new Map<string, Promise<Scenario[]>>();
let collecting: Promise<unknown> = Promise.resolve();

/** The scenarios of a folder of `tests/`, in the order of their files. Modules load once, so the list is kept. */
export function scenarios(folder = 'scenarios'): Promise<Scenario[]> {
  // One folder at a time: which collector a file declares its scenarios to is told by when it is loaded.
  const found = collected.get(folder) ?? collecting.then(() => collect(join(tests, folder)));
  collected.set(folder, found);
  collecting = found.catch(() => {});
  return found;
}

/** The scenarios of every folder of specs: those of tests/scenarios, and those that are generated. */
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
      // Wrong tags are told here, before anything is run.
      readTags(declared.title, declared.details.tag);
      found.push({ ...declared, file });
    });
    await import(pathToFileURL(file).href);
  }
  return found;
}
