/** One thing wrong with an environment. */
export interface Problem {
  readonly file: string;
  readonly key: string;
  /** What is wrong, what is expected; never the value of a secret. */
  readonly text: string;
}

/** The user's configuration is wrong; the message is all that the user needs, so it is printed without a stack. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

export function configurationError(environment: string, problems: readonly Problem[]): ConfigurationError {
  const width = Math.max(...problems.map(({ key }) => key.length));
  const byFile = Map.groupBy(problems, ({ file }) => file);
  const lines = [...byFile].flatMap(([file, found]) => [
    `  ${file}`,
    ...found.map(({ key, text }) => `    ${key.padEnd(width)}  ${text}`),
  ]);
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return new ConfigurationError([`Environment "${environment}" can't be used: ${count}.`, ...lines].join('\n'));
}
