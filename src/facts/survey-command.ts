import type { Fact } from './facts.ts';

type Asked = Pick<Fact, 'question' | 'operation'>;

/**
 * Maximum number of patterns for `--only`, which name the questions to ask. With more patterns the command line would be too long. So the
 * command names only the operations, and the survey asks all their questions.
 * A command with `--update` may have more patterns, because it also accepts changed answers. If it named only the operations, it would
 * accept changed answers that the user did not mean to accept.
 */
const MOST_PATTERNS = 4;
const MOST_UPDATED = 12;

/** The command line that asks the given questions of an environment. With `update`, the command also accepts changed answers. */
export function surveyCommand(
  environment: string,
  asked: readonly Asked[],
  options: { update?: boolean } = {},
): string {
  const each = new Set(asked.map(({ operation, question }) => `${operation} ${question}`));
  const patterns =
    each.size > (options.update ? MOST_UPDATED : MOST_PATTERNS)
      ? new Set(asked.map(({ operation }) => operation))
      : each;
  return `npx sextant survey --env ${environment}${options.update ? ' --update' : ''} --only '${[...patterns].join(',')}'`;
}

/** Whether a question about an operation matches a pattern of `--only`: `report repeat`, `report`, `repeat`, `report missing-*`. */
export function isAmong(only: string, { operation, question }: Asked): boolean {
  return only
    .split(',')
    .map((pattern) => pattern.trim())
    .filter(Boolean)
    .some((pattern) => {
      const matches = new RegExp(`^${RegExp.escape(pattern).replaceAll('\\*', '.*')}$`, 'i');
      return [`${operation} ${question}`, operation, question, question.split(':')[0] ?? ''].some((name) =>
        matches.test(name),
      );
    });
}
