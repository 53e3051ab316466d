import { join } from 'node:path';
import { redact } from '../../client/index.ts';
import { fileRoles, readTextIfAny, replaceText } from '../../config/files/index.ts';
import { attempt, ConfigurationError } from '../../config/index.ts';
import { workFolder } from '../../config/project-root.ts';

/** A change of one file of the project, whose path is relative to its root. */
export interface Change {
  readonly file: string;
  /** The new text; `undefined` stands for a file that must not exist yet. @throws ConfigurationError */
  readonly make: (text: string | undefined) => string;
}

export function newFile(file: string, text: string, cure = 'Choose another name.'): Change {
  return {
    file,
    make: (existing) => {
      if (existing !== undefined) throw new ConfigurationError(`${file} exists already. ${cure}`);
      return text;
    },
  };
}

/** What `sextant init` writes. */
interface Skeleton {
  readonly changes: readonly Change[];
  /** What is to be done now, a line each. */
  readonly next: readonly string[];
}

const { project: source } = fileRoles;

/**
 * Makes all changes in `root`, or none; returns a line for each file.
 * @throws ConfigurationError with each name that is taken.
 */
export function writeChanges(changes: readonly Change[], root = workFolder): string[] {
  const texts = new Map<string, string>();
  const lines = new Set<string>();
  const problems: string[] = [];
  for (const { file, make } of changes) {
    const existing = texts.get(file) ?? readTextIfAny(join(root, file), source);
    lines.add(`${existing === undefined ? 'wrote' : 'changed'} ${file}`);
    const made = attempt(() => make(existing));
    if (made instanceof ConfigurationError) problems.push(made.message);
    else texts.set(file, made);
  }
  if (problems.length > 0) throw new ConfigurationError(problems.join('\n'));
  for (const [file, text] of texts) replaceText(join(root, file), redact(text), source);
  return [...lines];
}

/** Makes the changes of a skeleton in `root`; says which, and what is next. @throws ConfigurationError */
export function writeSkeleton({ changes, next }: Skeleton, root = workFolder): void {
  const lines = [...writeChanges(changes, root), '', 'Next:', ...next.map((line) => `- ${line}`)];
  process.stdout.write(`${lines.join('\n')}\n`);
}
