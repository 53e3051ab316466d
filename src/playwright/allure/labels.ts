import type { Label } from 'allure-js-commons';
import { areaTitle } from '../../service/index.ts';
import { CATEGORY_LABEL, categoryTitles, verdictOfCategory, verdicts } from '../../verdict/index.ts';
import { tagsOf } from '../result-of.ts';

const featureByFolder: Readonly<Record<string, string>> = {
  scenarios: 'Scenarios',
  auth: 'Authentication',
  robustness: 'Robustness',
  stateful: 'Sequences',
};

/** Failures of specs in these folders are critical: users can't do what the service is for, or can do what is forbidden. */
const critical = new Set(['scenarios', 'auth']);

/**
 * The labels by which a report groups and filters tests, and separates environments. `folder` is the spec's folder below tests/: scenarios, auth, …
 */
export function labelsOf(title: string, tags: readonly string[], environment: string, folder: string): Label[] {
  const { area, effect } = tagsOf(title, tags);
  return [
    { name: 'environment', value: environment },
    { name: 'area', value: area },
    ...(effect ? [{ name: 'effect', value: effect }] : []),
    { name: 'epic', value: areaTitle(area) },
    { name: 'feature', value: featureByFolder[folder] ?? folder },
    { name: 'story', value: title },
    { name: 'severity', value: critical.has(folder) ? 'critical' : 'normal' },
  ];
}

/** Name of the label that holds the cause of a failure in one sentence. */
export const CAUSE_LABEL = 'cause';

/** The report's categories. Each failed test has a label with its category. If several categories match a test, Allure uses the first. */
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
