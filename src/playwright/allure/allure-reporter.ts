import { basename, dirname } from 'node:path';
import type { Suite, TestCase, TestResult, TestStep } from '@playwright/test/reporter';
import type { TestResult as AllureResult, Label } from 'allure-js-commons';
import { AllureReporter } from 'allure-playwright';
import { AcceptedSoFar, causesOf, RESULT_TYPE, type ResultDocument } from '../../run/ending/index.ts';
import { ALL_CALLS, FAILING_CALL, outputFiles } from '../../scenario/index.ts';
import { CATEGORY_LABEL, verdicts } from '../../verdict/index.ts';
import { resultOf } from '../result-of.ts';
import { CAUSE_LABEL, labelsOf } from './labels.ts';
import { ResultsWriter } from './results-writer.ts';

/** Allure's reporter for Playwright, with the suite's labels and verdicts. */
export default class SuiteAllureReporter extends AllureReporter {
  readonly #accepted = new AcceptedSoFar();

  constructor() {
    super({
      resultsDir: outputFiles().allureResults,
      detail: false,
      suiteTitle: false,
      listeners: [{ beforeTestResultWrite: openOnFailure }],
    });
  }

  override onBegin(suite: Suite): void {
    super.onBegin(suite);
    // The options of Allure's reporter can set the folder, but not the writer. So the writer is replaced here.
    this['allureRuntime'].writer = new ResultsWriter(outputFiles().allureResults);
  }

  override onTestEnd(test: TestCase, result: TestResult): Promise<void> {
    const found = resultOf(test, result);
    const shown = this.#accepted.withEarlier({ ...found, environment: test.parent.project()?.name ?? '' });
    const uuid = this['allureResultsUuids'].get(test.id) ?? '';
    const { trace } = shown;
    this['allureRuntime'].updateTest(uuid, ({ labels, links, parameters }: AllureResult) => {
      labels.push(...allLabels(test, shown));
      // `excluded` keeps the id out of the test's identity, because otherwise each run would begin a new history.
      if (trace) parameters.push({ name: 'Trace', value: trace.id, excluded: true });
      if (trace?.url) links.push({ name: 'Trace', url: trace.url, type: 'trace' });
    });
    // The report shows the result as labels, so the attachment with its JSON is left out.
    const attachments = result.attachments.filter(({ contentType }) => contentType !== RESULT_TYPE);
    return super.onTestEnd(test, { ...result, attachments, status: statusOf(found, result) });
  }

  override onStepEnd(test: TestCase, result: TestResult, step: TestStep): void {
    // Removes the error of a fixture from its step, because Allure would report it as an error of the whole run, even if it only skips the
    // test. The result of the test contains the error, too.
    if (step.category === 'hook') delete step.error;
    // Allure reads attachments only from the steps that Playwright's `attach` adds. The suite doesn't use `attach`, so the steps are added here.
    if (step.category === 'test.step')
      for (const attachment of step.attachments) {
        const { name } = attachment;
        const attaching = { ...step, category: 'test.attach', title: `Attach "${name}"`, attachments: [attachment] };
        const inStep = { ...attaching, parent: step, steps: [], duration: 0 };
        super.onStepBegin(test, result, inStep);
        super.onStepEnd(test, result, inStep);
      }
    super.onStepEnd(test, result, step);
  }
}

type EnvironmentResult = ResultDocument & { readonly environment: string };

function allLabels(test: TestCase, { exchanges, environment, ...alone }: EnvironmentResult): Label[] {
  const { category } = alone;
  const operations = new Set(exchanges.map(({ operation }) => operation));
  return [
    ...[...operations].map((value) => ({ name: 'operation', value })),
    ...labelsOf(test.title, test.tags, environment, basename(dirname(test.location.file))),
    ...(category === 'passed' || category === 'slow' ? [] : [{ name: CATEGORY_LABEL, value: category }]),
    ...causesOf([{ ...alone, environment }]).map(({ sentence }) => ({ name: CAUSE_LABEL, value: sentence })),
  ];
}

/**
 * The status in Allure. Interrupted tests and failures in quarantine (Playwright expects these failures) are `skipped`. Tests that were not
 * tried (Playwright skips these) are `failed`.
 */
function statusOf({ verdict, quarantined }: ResultDocument, { status }: TestResult): TestResult['status'] {
  if (quarantined || status === 'interrupted') return 'skipped';
  return status === 'skipped' && verdicts[verdict].ran ? 'failed' : status;
}

/** Moves the call that broke an expectation, and the script of all calls, to the beginning of a test. */
export function openOnFailure(result: AllureResult): void {
  const isOpening = ({ name }: { readonly name?: string }) => name === FAILING_CALL || name === ALL_CALLS;
  result.steps = [...result.steps.filter(isOpening), ...result.steps.filter((step) => !isOpening(step))];
}
