import { join } from 'node:path';

/** Where runs leave what they make; SEXTANT_OUTPUT names another folder than `results`. */
export function outputFolder(): string {
  return process.env.SEXTANT_OUTPUT ?? join(import.meta.dirname, '..', 'results');
}

/** What a run under Playwright Test leaves behind. The history and the used items outlive it; the rest is made anew. */
export function outputFiles(folder = outputFolder()) {
  return {
    allureResults: join(folder, 'allure-results'),
    report: join(folder, 'report'),
    history: join(folder, 'history.jsonl'),
    junit: join(folder, 'junit.xml'),
    playwright: join(folder, 'playwright'),
    /** Counts: {passed, failed, skipped, areas}. */
    summary: join(folder, 'summary.json'),
    /** Seed, versions and addresses. */
    run: join(folder, 'run.json'),
  };
}
