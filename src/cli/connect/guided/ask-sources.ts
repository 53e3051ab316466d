import { importFrom, isUnfinished, type Mapping } from '../../../config/import/index.ts';
import { ConfigurationError } from '../../../config/index.ts';
import type { Asking } from './ask-values.ts';
import { isKey } from './draft.ts';

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
