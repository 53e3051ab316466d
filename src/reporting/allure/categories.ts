import { CATEGORY_LABEL, categoryTitles, verdictOfCategory, verdicts } from '../../client/index.ts';

/** Name of the label that holds the cause of a failure in one sentence. */
export const CAUSE_LABEL = 'cause';

/** The report's categories, by the label that the suite's errors put on their test; the first match counts. */
export const categories = categoryTitles().map(({ category, title }) => {
  const { ran } = verdicts[verdictOfCategory(category)];
  const statuses = ran ? ['failed', 'broken'] : ['skipped'];
  return {
    id: category,
    name: title,
    matchers: ({ status, labels }: { status: string; labels: readonly { name: string; value?: string }[] }) =>
      statuses.includes(status) && labels.some(({ name, value }) => name === CATEGORY_LABEL && value === category),
    groupByMessage: !ran,
    ...(ran ? { groupBy: [{ label: CAUSE_LABEL }], expand: true } : {}),
  };
});
