import type { Attachment, Stage, Status, StepResult, TestResult } from 'allure-js-commons';
import { CATEGORY_LABEL, redactJson, verdicts } from '../../client/index.ts';
import { causesOfResults, type ResultDocument } from '../../engine/run/index.ts';
import { ALL_CALLS, FAILING_CALL } from '../../scenario/index.ts';
import { CAUSE_LABEL, labelsOf } from './labels.ts';

/**
 * Prepares a test result for the report: adds labels, to skipped tests as well; lists each operation once; and moves each
 * attachment to the step of its call.
 */
export function tidyResult(result: TestResult, documentOf: (key: string) => ResultDocument | undefined): void {
  const tags = result.labels.filter(({ name }) => name === 'tag').map(({ value }) => value);
  const environment = result.parameters.find(({ name }) => name === 'Project')?.value;
  if (environment === undefined) throw new Error(`allure-playwright named no project for "${result.name}"`);
  const folder = result.titlePath?.at(-2) ?? '';
  const found = documentOf(resultKey(environment, result.name ?? ''));
  if (!found) throw new Error(`no result of "${result.name}" was read`);
  const { exchanges, ...alone } = found;
  const { category } = alone;
  const operations = [...new Set(exchanges.map(({ operation }) => operation))];
  result.labels = [
    ...result.labels,
    ...operations.map((value) => ({ name: 'operation', value })),
    ...labelsOf(result.name ?? '', tags, environment, folder),
    ...(category === 'passed' || category === 'slow' ? [] : [{ name: CATEGORY_LABEL, value: category }]),
    ...causesOfResults(environment, [alone]).map(({ sentence }) => ({ name: CAUSE_LABEL, value: sentence })),
  ];
  const { steps, attachments } = lifted(result);
  // Playwright expects the failure of a test in quarantine, so it would be shown as passed.
  if (category === 'quarantined') result.status = 'skipped' as Status;
  // Playwright skips what needs an address that was given up.
  else if (result.status === ('skipped' as Status) && verdicts[found.verdict].ran) result.status = 'failed' as Status;
  // Names of steps and attachments, parameters, errors: everything else that Allure writes.
  const isFirst = ({ name }: Attachment) => name === FAILING_CALL || name === ALL_CALLS;
  const opening = attachments.filter(isFirst);
  const all = opening.length > 0 ? [openingStep(result, opening), ...steps] : steps;
  const others = attachments.filter((each) => !isFirst(each));
  Object.assign(result, redactJson({ ...result, steps: all, attachments: others }));
}

/** A red test opens with the call that broke an expectation. */
function openingStep({ start, stop }: TestResult, attachments: Attachment[]): StepResult {
  const state = { status: 'failed' as Status, statusDetails: {}, stage: 'finished' as Stage };
  return {
    name: 'what failed',
    ...state,
    steps: [],
    attachments,
    parameters: [],
    ...(start && stop ? { start, stop } : {}),
  };
}

export function resultKey(environment: string | undefined, title: string): string {
  return `${environment}\n${title}`;
}

function lifted<T extends StepResult | TestResult>(step: T): T {
  const wrappers = step.steps.filter(isWrapper);
  return {
    ...step,
    attachments: [...step.attachments, ...wrappers.flatMap((wrapper) => wrapper.attachments)],
    steps: step.steps.filter((child) => !isWrapper(child)).map(lifted),
  };
}

/** Whether a step consists only of one attachment with the same name. */
function isWrapper({ name, steps, attachments }: StepResult): boolean {
  return steps.length === 0 && attachments.length === 1 && attachments[0]?.name === name;
}
