import type { Suite, TestCase, TestResult, TestStep } from '@playwright/test/reporter';
import { AllureReporter } from 'allure-playwright';
import { fileRoles, makeFolder } from '../../config/files/index.ts';
import { outputFiles } from '../../scenario/index.ts';
import { INTERRUPTED } from '../outcome-of.ts';
import { ResultsWriter } from './results-writer.ts';
import { tidyResult } from './tidy-result.ts';

/** Allure's reporter for Playwright, with the suite's labels and a writer that doesn't wait for the disk. */
export default class SuiteAllureReporter extends AllureReporter {
  #writer: ResultsWriter | undefined;

  constructor() {
    super({
      resultsDir: outputFiles().allureResults,
      detail: false,
      suiteTitle: false,
      listeners: [{ beforeTestResultWrite: tidyResult }],
    });
  }

  override onBegin(suite: Suite): void {
    super.onBegin(suite);
    const { allureResults } = outputFiles();
    makeFolder(allureResults, fileRoles.output);
    // Its options name a folder, not a writer.
    this.#writer = new ResultsWriter(allureResults);
    this['allureRuntime'].writer = this.#writer;
  }

  override async onTestEnd(test: TestCase, result: TestResult): Promise<void> {
    if (result.status !== 'interrupted') return super.onTestEnd(test, result);
    // Allure has no word for it, and would call it failed.
    const annotations = [...test.annotations, { type: 'skip', description: INTERRUPTED }];
    const { error: _, ...rest } = result;
    return super.onTestEnd(Object.create(test, { annotations: { value: annotations } }), {
      ...rest,
      status: 'skipped',
    });
  }

  override async onEnd(): Promise<void> {
    await super.onEnd();
    await this.#writer?.end();
  }

  override onStepEnd(test: TestCase, result: TestResult, step: TestStep): void {
    // Allure takes a fixture's error, and a skip is one too, for an error of the whole run. It is in its test's result already.
    if (step.category === 'hook') delete step.error;
    // Allure takes attachments from the steps that `attach` makes; the suite spares Playwright those.
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
