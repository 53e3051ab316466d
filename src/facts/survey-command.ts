import type { Fact } from './facts.ts';

type Asked = Pick<Fact, 'question' | 'operation'>;

/**
 * Maximum number of patterns for `--only`. With more patterns the command line would be too long, so the command asks all questions of the
 * operations instead. An update may have more patterns, because asking all questions would also accept answers that the user did not mean
 * to update.
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
