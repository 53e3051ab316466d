import type { Attachment, Label, Status, StepResult, TestResult } from 'allure-js-commons';
import { ALLURE_HTTP_EXCHANGE_CONTENT_TYPE } from 'allure-js-commons/http';
import { CATEGORY_LABEL, redactJson } from '../../client/index.ts';
import { causesOf, failureOfMessage, operationOf } from '../../scenario/index.ts';
import { CAUSE_LABEL, labelsOf } from './labels.ts';

/**
 * Prepares a test result for the report: adds labels, to skipped tests as well; lists each operation once; and moves each
 * attachment to the step of its call.
 */
export function tidyResult(result: TestResult): void {
  const tags = result.labels.filter(({ name }) => name === 'tag').map(({ value }) => value);
  const environment = result.parameters.find(({ name }) => name === 'Project')?.value;
  if (environment === undefined) throw new Error(`allure-playwright named no project for "${result.name}"`);
  const folder = result.titlePath?.at(-2) ?? '';
  const operations = [...new Set(exchangesOf(result).map(({ name }) => operationOf(name)))];
  result.labels = [
    ...result.labels,
    ...operations.map((value) => ({ name: 'operation', value })),
    ...labelsOf(result.name ?? '', tags, environment, folder),
    ...failureLabels(result),
  ];
  const { steps, attachments } = lifted(result);
  // Playwright expects the failure of a test in quarantine, so it would be shown as passed.
  if (result.labels.some(({ name, value }) => name === CATEGORY_LABEL && value === 'quarantined'))
    result.status = 'skipped' as Status;
  // Names of steps and attachments, parameters, errors: everything else that Allure writes.
  Object.assign(result, redactJson({ ...result, steps, attachments }));
}

/** The cause of a failure, by which the report groups its categories, and its category where the test came to none: a timeout, a killed worker. */
function failureLabels({ name: title = '', status, statusDetails, labels }: TestResult): Label[] {
  if (status !== ('failed' as Status) && status !== ('broken' as Status)) return [];
  const failure = failureOfMessage(statusDetails?.message ?? '');
  const causes = causesOf([{ ...failure, environment: '', title }]);
  const isFiled = labels.some(({ name }) => name === CATEGORY_LABEL);
  return [
    ...(isFiled ? [] : [{ name: CATEGORY_LABEL, value: failure.verdict }]),
    ...causes.map(({ sentence }) => ({ name: CAUSE_LABEL, value: sentence })),
  ];
}

function lifted<T extends StepResult | TestResult>(step: T): T {
  const wrappers = step.steps.filter(isWrapper);
  return {
    ...step,
    attachments: [...step.attachments, ...wrappers.flatMap((wrapper) => wrapper.attachments)],
    steps: step.steps.filter((child) => !isWrapper(child)).map(lifted),
  };
}

function exchangesOf({ attachments, steps }: StepResult | TestResult): Attachment[] {
  return [...attachments.filter(isExchange), ...steps.flatMap(exchangesOf)];
}

function isExchange({ type }: Attachment): boolean {
  return type === ALLURE_HTTP_EXCHANGE_CONTENT_TYPE;
}

/** Whether a step consists only of one attachment with the same name. */
function isWrapper({ name, steps, attachments }: StepResult): boolean {
  return steps.length === 0 && attachments.length === 1 && attachments[0]?.name === name;
}
