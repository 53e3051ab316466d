import { type KeyName, type SecretKey, secretVariable } from '../../../config/index.ts';
import { type Draft, isSecretKey } from './draft.ts';
import type { Asker } from './prompts/asker.ts';
import { formatOf, isRequired, suggestionFor } from './questions.ts';

/** The answer that leaves out a key for which Enter would take a suggestion. */
const LEFT_OUT = '-';

/** Who asks, and what for. */
export interface Asking {
  readonly asker: Asker;
  readonly name: string;
  readonly draft: Draft;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Asks for the values of keys, those that have one already too; Enter keeps it. */
export async function askFor(asked: readonly (KeyName | SecretKey)[], asking: Asking): Promise<void> {
  for (const key of asked) await ask(key, asking);
}

/** Asks for those that have no value yet. */
export async function askForMissing(asked: readonly (KeyName | SecretKey)[], asking: Asking): Promise<void> {
  for (const key of asked) if (!asking.draft.has(key)) await ask(key, asking);
}

async function ask(key: KeyName | SecretKey, { asker, name, draft, env }: Asking): Promise<void> {
  if (key === 'FRIEND_ACCESS_TOKEN' && !draft.has('FRIEND_USER_ID')) return;
  if (isSecretKey(key)) {
    if (env[secretVariable(name, key)]) {
      asker.say(`  ${key} comes from ${secretVariable(name, key)} in the process environment.`);
      return;
    }
    const earlier = draft.secrets.get(key);
    const answer = await asker.text({
      message: key,
      format: earlier ? `${formatOf(key)}; Enter keeps the one that is there` : formatOf(key),
      isOptional: earlier !== undefined || !isRequired(key),
      check: (value) => draft.check(key, withoutScheme(value)),
      masked: (value) => '*'.repeat(value.length),
    });
    if (answer !== '') draft.set(key, withoutScheme(answer));
    return;
  }
  const earlier = draft.values.get(key);
  const suggestion = earlier ?? draft.offers.get(key) ?? suggestionFor(key, name, draft.values);
  const isLeftOut = (value: string) => !isRequired(key) && value === LEFT_OUT;
  const answer = await asker.text({
    message: key,
    format: formatOf(key, suggestion === undefined ? 'Enter' : LEFT_OUT),
    suggestion,
    isOptional: !isRequired(key),
    check: (value) => (isLeftOut(value) ? { value } : draft.check(key, value)),
  });
  if (answer === '' || isLeftOut(answer)) draft.remove(key);
  else draft.set(key, answer);
}

/** A token is often copied with the word before it. */
function withoutScheme(value: string): string {
  return value.trim().replace(/^bearer\s+/i, '');
}
