import type { Attachment, StepResult, TestResult } from 'allure-js-commons';
import { CURL_ATTACHMENT, redactJson } from '../client/index.ts';
import { labelsOf } from './labels.ts';

/**
 * Readies a test's result for the report, as it is written: labels, which a skipped test needs too; each operation
 * named once; and each attachment on its call's own step instead of a step of its own.
 */
export function tidyResult(result: TestResult): void {
  const tags = result.labels.filter(({ name }) => name === 'tag').map(({ value }) => value);
  const environment = result.parameters.find(({ name }) => name === 'Project')?.value;
  if (environment === undefined) throw new Error(`allure-playwright named no project for "${result.name}"`);
  const folder = result.titlePath?.at(-2) ?? '';
  const known = new Map(result.labels.map((label) => [`${label.name}=${label.value}`, label]));
  result.labels = [...known.values(), ...labelsOf({ title: result.name ?? '', tags, environment, folder })];
  const { steps, attachments } = lifted(result);
  // Names of steps and attachments, parameters, errors: whatever else Allure writes of it.
  Object.assign(result, redactJson({ ...result, steps, attachments }));
}

function lifted<T extends StepResult | TestResult>(step: T): T {
  const wrappers = step.steps.filter(isWrapper);
  return {
    ...step,
    attachments: shown([...step.attachments, ...wrappers.flatMap((wrapper) => wrapper.attachments)]),
    steps: step.steps.filter((child) => !isWrapper(child)).map(lifted),
  };
}

/** Attachments as the report shows them; Playwright's error context only repeats the error. */
function shown(attachments: readonly Attachment[]): Attachment[] {
  return attachments
    .filter(({ name }) => name !== 'error-context')
    .map((attachment) => (attachment.type === CURL_ATTACHMENT ? { ...attachment, type: 'text/plain' } : attachment));
}

/** A step that is nothing but its one attachment, which bears the same name. */
function isWrapper({ name, steps, attachments }: StepResult): boolean {
  return steps.length === 0 && attachments.length === 1 && attachments[0]?.name === name;
}
