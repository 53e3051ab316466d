// In a separate file, so that the command line can report this error without loading the other files of this folder.
import { excerpt } from '../verdict/failure-message.ts';

/**
 * Maximum number of problems in a message. A file of the wrong kind would give a problem for each line, and one screen of them is enough.
 */
const MOST_SHOWN = 40;
const LONGEST_KEY = 40;
const LONGEST_TEXT = 500;

export interface Problem {
  readonly file: string;
  readonly key: string;
  /** The problem and the expected value; never contains a secret value. */
  readonly text: string;
}

/** The user's configuration is wrong. The message is all that the user needs, so it is printed without a stack. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

export function configurationError(environment: string, problems: readonly Problem[]): ConfigurationError {
  const shown = problems.slice(0, MOST_SHOWN).map(({ file, key, text }) => ({
    file,
    key: excerpt(key, LONGEST_KEY),
    text: excerpt(text, LONGEST_TEXT),
  }));
  const width = Math.max(...shown.map(({ key }) => key.length));
  const lines = [...Map.groupBy(shown, ({ file }) => file)].flatMap(([file, found]) => [
    `  ${file}`,
    ...found.map(({ key, text }) => `    ${key.padEnd(width)}  ${text}`),
  ]);
  if (problems.length > shown.length) lines.push(`  and ${problems.length - shown.length} more`);
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return new ConfigurationError([`Environment "${environment}" can't be used: ${count}.`, ...lines].join('\n'));
}

/** Runs `work`. Returns its result or its ConfigurationError, and rethrows any other error. */
export function attempt<T>(work: () => T): T | ConfigurationError {
  try {
    return work();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
}
