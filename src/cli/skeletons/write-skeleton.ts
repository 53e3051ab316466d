import { join } from 'node:path';
import { redact } from '../../client/index.ts';
import { fileRoles, isThere, readTextIfAny, replaceText } from '../../config/files/index.ts';
import { ConfigurationError } from '../../config/index.ts';
import { workFolder } from '../../config/project-root.ts';
import type { Change } from './insert.ts';

const { source } = fileRoles;

/** @throws ConfigurationError where this isn't a checkout, as in the image. */
export function assertCheckout(): void {
  for (const file of ['CONTRIBUTING.md', 'tools/check.ts'])
    if (!isThere(join(workFolder, file), source))
      throw new ConfigurationError(
        `${file} is missing: this is not a checkout of the project. Clone its repository, and try again there.`,
      );
}

/**
 * Makes all changes in `root`, or none; gives a line for each file.
 * @throws ConfigurationError where a name is taken.
 */
export function writeChanges(changes: readonly Change[], root = workFolder): string[] {
  const texts = new Map<string, string>();
  const lines = new Set<string>();
  for (const { file, make } of changes) {
    const existing = texts.get(file) ?? readTextIfAny(join(root, file), source);
    lines.add(`${existing === undefined ? 'wrote' : 'changed'} ${file}`);
    texts.set(file, make(existing));
  }
  for (const [file, text] of texts) replaceText(join(root, file), redact(text), source);
  return [...lines];
}
