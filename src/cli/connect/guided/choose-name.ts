import { fileRoles, isThere } from '../../../config/files/index.ts';
import { shown } from '../../../config/files/shown.ts';
import { assertEnvironmentName, type Checked, environmentFiles, readVariablesIfAny } from '../../../config/index.ts';
import { type Draft, isKey } from './draft.ts';
import { type Asker, Stopped } from './prompts/asker.ts';

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
