import type { Fact } from './facts.ts';

type Asked = Pick<Fact, 'question' | 'operation'>;

/** More patterns are too long for a line: then all questions of the operations are asked. An update should take no other answer. */
const MOST_PATTERNS = 4;
const MOST_UPDATED = 12;

/** The command that asks some questions, and with `update` takes answers that changed. */
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

/** Whether a question about an operation is among the patterns of `--only`: `report repeat`, `report`, `repeat`, `report missing-*`. */
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
