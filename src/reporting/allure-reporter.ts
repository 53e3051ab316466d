import type { Suite } from '@playwright/test/reporter';
import { AllureReporter } from 'allure-playwright';
import { fileRoles, makeFolder } from '../config/files/index.ts';
import { outputFiles } from '../scenario/index.ts';
import { ResultsWriter } from './results-writer.ts';
import { tidyResult } from './tidy-result.ts';

/** Allure's reporter for Playwright, with the suite's labels and a writer that doesn't wait for the disk. */
export default class SuiteAllureReporter extends AllureReporter {
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
    this['allureRuntime'].writer = new ResultsWriter(allureResults);
  }
}
