import type { Suite, TestCase, TestResult, TestStep } from '@playwright/test/reporter';
import { AllureReporter } from 'allure-playwright';
import { fileRoles, makeFolder } from '../../config/files/index.ts';
import { RESULT_TYPE, type ResultDocument } from '../../engine/run/index.ts';
import { outputFiles } from '../../scenario/index.ts';
import { INTERRUPTED, NOT_STARTED } from '../outcome-of.ts';
import { resultOf } from '../result-of.ts';
import { ResultsWriter } from './results-writer.ts';
import { resultKey, tidyResult } from './tidy-result.ts';

const neverStarted: Omit<TestResult, 'startTime'> = {
  ...{ status: 'skipped', retry: 0, parallelIndex: 0, workerIndex: 0, shardIndex: 0, duration: 0 },
  ...{ annotations: [], attachments: [], errors: [], steps: [], stdout: [], stderr: [] },
};

/** Allure's reporter for Playwright, with the suite's labels and a writer that doesn't wait for the disk. */
export default class SuiteAllureReporter extends AllureReporter {
  /** By environment and title: Allure hands on its own result alone. */
  readonly #results: Map<string, ResultDocument>;
  readonly #started = new Set<TestCase>();
  #suite: Suite | undefined;
  #writer: ResultsWriter | undefined;

  constructor() {
    const results = new Map<string, ResultDocument>();
    super({
      resultsDir: outputFiles().allureResults,
      detail: false,
      suiteTitle: false,
      listeners: [{ beforeTestResultWrite: (result) => tidyResult(result, (key) => results.get(key)) }],
    });
    this.#results = results;
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
    this.#results.set(resultKey(test.parent.project()?.name, test.title), resultOf(test, result));
    if (result.status !== 'interrupted') return super.onTestEnd(test, withoutDocument(result));
    // The attempt before it failed, and the last one is the test's in the report.
    const { startTime, duration } = result;
    const failed = test.results.findLast(({ status }) => status === 'failed' || status === 'timedOut');
    if (failed) return super.onTestEnd(test, withoutDocument({ ...failed, startTime, duration }));
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
    const skipped: TestCase = Object.create(test, { annotations: { value: annotations } });
    const leftOut = { ...result, status: 'skipped' as const, attachments: [] };
    this.#results.set(resultKey(test.parent.project()?.name, test.title), resultOf(skipped, leftOut));
    return super.onTestEnd(skipped, { ...result, status: 'skipped' });
  }

  override onStepEnd(test: TestCase, result: TestResult, step: TestStep): void {
    // Allure takes a fixture's error, and a skip is one too, for an error of the whole run. It is in its test's result already.
    if (step.category === 'hook') delete step.error;
    // Labels and causes say what the report needs of it.
    step.attachments = step.attachments.filter(({ contentType }) => contentType !== RESULT_TYPE);
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

function withoutDocument(result: TestResult): TestResult {
  return { ...result, attachments: result.attachments.filter(({ contentType }) => contentType !== RESULT_TYPE) };
}
