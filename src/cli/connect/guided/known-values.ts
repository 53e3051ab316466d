import { fileRoles, isThere } from '../../../config/files/index.ts';
import { shown } from '../../../config/files/shown.ts';
import { importFrom, isUnfinished, type Mapping } from '../../../config/import/index.ts';
import {
  assertEnvironmentName,
  type Checked,
  ConfigurationError,
  environmentFiles,
  readVariablesIfAny,
} from '../../../config/index.ts';
import { type Draft, isKey } from './draft.ts';
import { type Asker, Stopped } from './prompts/asker.ts';
import type { Asking } from './questions.ts';

interface Choosing {
  readonly asker: Asker;
  readonly draft: Draft;
  readonly name: string | undefined;
  readonly force: boolean;
}

/** The name of the environment. One that exists is changed only if that is wanted: then what it has is in the draft. */
export async function chooseName({ asker, draft, name, force }: Choosing): Promise<{ name: string; exists: boolean }> {
  for (let given = name; ; given = undefined) {
    const chosen = given ?? (await askName(asker));
    const { own, secret } = environmentFiles(chosen);
    const there = [own, secret].filter((path, index) =>
      isThere(path, index === 0 ? fileRoles.environment : fileRoles.secrets),
    );
    if (there.length === 0) return { name: chosen, exists: false };
    const next = force ? 'change' : await whatAbout(asker, there.map(shown));
    if (next === 'stop') throw new Stopped('stopped');
    if (next === 'other') continue;
    for (const line of prefill(draft, own, secret)) asker.say(`  left out: ${line}`);
    return { name: chosen, exists: true };
  }
}

function askName(asker: Asker): Promise<string> {
  return asker.text({
    message: 'Name of the environment',
    format: 'letters, digits and hyphens, e.g. staging',
    check: nameOf,
  });
}

function nameOf(value: string): Checked<string> {
  try {
    assertEnvironmentName(value);
    return { value };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function whatAbout(asker: Asker, there: readonly string[]) {
  return asker.choose(`${there.join(' and ')} ${there.length === 1 ? 'exists' : 'exist'} already.`, [
    { value: 'change', name: 'change it: Enter keeps each value; its own comments go' },
    { value: 'other', name: 'choose another name' },
    { value: 'stop', name: 'stop' },
  ]);
}

/** Takes what the files have; gives what can't be kept. */
function prefill(draft: Draft, own: string, secret: string): string[] {
  const secrets = readVariablesIfAny(secret, fileRoles.secrets);
  const values = readVariablesIfAny(own, fileRoles.environment);
  const left: string[] = [];
  for (const [key, text] of [...Object.entries(secrets), ...Object.entries(values)]) {
    const value = text.trim();
    if (value === '') continue;
    const problem = isKey(key) ? draft.take(key, value) : 'is not a recognised key';
    if (problem) left.push(`${key} ${problem}`);
  }
  return left;
}

/** What people have of a service already, in the words of the question. */
const KINDS = 'a Postman or Bruno export, a .env, an OpenAPI document, or a curl command; Enter goes on without';

/** Takes what it can from the files that are named, and from those that are asked for. */
export async function takeSources(asking: Asking, files: readonly string[], mapping: Mapping): Promise<void> {
  for (const file of files) take(asking, file, mapping);
  for (let isFirst = files.length === 0; ; isFirst = false) {
    const source = await asking.asker.text({
      message: isFirst ? 'A file with requests or variables, or a curl command' : 'Another one',
      format: KINDS,
      isOptional: true,
      check: (value) => ({ value }),
      // A command copied from a browser holds the token of its session.
      masked: (value) =>
        value.replace(/^(\s*curl\s)(.*)$/s, (_, start: string, rest: string) => start + '*'.repeat(rest.length)),
      goesOn: (text) => /^\s*curl\s/.test(text) && isUnfinished(text),
    });
    if (source === '') return;
    try {
      take(asking, source, mapping);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      asking.asker.say(`  ${error.message}`);
    }
  }
}

/** @throws ConfigurationError when nothing can be made of it. */
function take({ asker, draft }: Asking, source: string, mapping: Mapping): void {
  const imported = importFrom(source, mapping);
  const taken: string[] = [];
  const left = [...imported.ignored];
  // Secrets first, so that none of them gets into the other file.
  for (const [key, value] of [...imported.secrets, ...imported.values]) {
    if (!isKey(key)) continue;
    const problem =
      key === 'ALLOWED_EFFECTS'
        ? 'is asked for at the end'
        : draft.has(key)
          ? 'is known already'
          : draft.take(key, value);
    if (problem) left.push(`${key} ${problem}`);
    else taken.push(key);
  }
  asker.say(`  ${imported.kind}: took ${taken.join(', ') || 'nothing'}.`);
  for (const line of left) asker.say(`  left out: ${line}`);
}
