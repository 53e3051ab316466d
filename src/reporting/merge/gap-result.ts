import { createHash, randomUUID } from 'node:crypto';
import type { Stage, Status, TestResult } from 'allure-js-commons';
import { CATEGORY_LABEL } from '../../client/index.ts';
import { labelsOf } from '../labels.ts';
import type { TestOutcome } from '../summary.ts';

/** What is missing of a run as a broken test of Allure's report: its quality gate sees nothing else. */
export function gapResult({ environment, title, message = '' }: TestOutcome): TestResult {
  const labels = labelsOf({ title, tags: ['@all'], environment, folder: 'shards' });
  return {
    uuid: randomUUID(),
    historyId: createHash('md5').update(`${environment} ${title}`).digest('hex'),
    name: title,
    fullName: title,
    status: 'broken' as Status,
    statusDetails: { message },
    stage: 'finished' as Stage,
    steps: [],
    attachments: [],
    parameters: [{ name: 'Project', value: environment }],
    labels: [...labels, { name: CATEGORY_LABEL, value: 'unknown' }],
    links: [],
  };
}
