import type { Suite, TestCase, TestResult, TestStep } from '@playwright/test/reporter';
import { AllureReporter } from 'allure-playwright';
import { fileRoles, makeFolder } from '../../config/files/index.ts';
import { outputFiles } from '../../scenario/index.ts';
import { INTERRUPTED, NOT_STARTED } from '../outcome-of.ts';
import { ResultsWriter } from './results-writer.ts';
import { tidyResult } from './tidy-result.ts';

const neverStarted: Omit<TestResult, 'startTime'> = {
  ...{ status: 'skipped', retry: 0, parallelIndex: 0, workerIndex: 0, shardIndex: 0, duration: 0 },
  ...{ annotations: [], attachments: [], errors: [], steps: [], stdout: [], stderr: [] },
};

/** Allure's reporter for Playwright, with the suite's labels and a writer that doesn't wait for the disk. */
export default class SuiteAllureReporter extends AllureReporter {
  readonly #started = new Set<TestCase>();
  #suite: Suite | undefined;
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
    this.#suite = suite;
    const { allureResults } = outputFiles();
    makeFolder(allureResults, fileRoles.output);
    // Its options name a folder, not a writer.
    this.#writer = new ResultsWriter(allureResults);
    this['allureRuntime'].writer = this.#writer;
  }

  override onTestBegin(test: TestCase): void {
    this.#started.add(test);
    super.onTestBegin(test);
  }

  override async onTestEnd(test: TestCase, result: TestResult): Promise<void> {
    if (result.status !== 'interrupted') return super.onTestEnd(test, result);
    // The attempt before it failed, and the last one is the test's in the report.
    const { startTime, duration } = result;
    const failed = test.results.findLast(({ status }) => status === 'failed' || status === 'timedOut');
    if (failed) return super.onTestEnd(test, { ...failed, startTime, duration });
    // Allure has no word for it, and would call it failed.
    return this.#leaveOut(test, result, INTERRUPTED);
  }

  override async onEnd(): Promise<void> {
    // Allure's own knows them by their titles alone, which the tests of another environment have, too.
    for (const test of this.#suite?.allTests() ?? [])
      if (!this.#started.has(test)) {
        this.onTestBegin(test);
        await this.#leaveOut(test, { ...neverStarted, startTime: new Date() }, NOT_STARTED);
      }
    await super.onEnd();
    await this.#writer?.end();
  }

  #leaveOut(test: TestCase, { error: _, ...result }: TestResult, reason: string): Promise<void> {
    const annotations = [...test.annotations, { type: 'skip', description: reason }];
    const skipped = Object.create(test, { annotations: { value: annotations } });
    return super.onTestEnd(skipped, { ...result, status: 'skipped' });
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
