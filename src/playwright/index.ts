/*
 * Runs scenarios under Playwright Test, and reports such runs. Playwright's reporters and the command line use these reports.
 * Input: Playwright's results, with a `ScenarioResult` attached to each test.
 * Output: console lines, Allure results, JUnit, the summary and the page of a job.
 */
export { categories } from './allure/labels.ts';
export { reportPage } from './allure/report-page.ts';
export { LEFT_OUT_VARIABLE, OTHER_REPORTERS_VARIABLE } from './from-command.ts';
export {
  addToJobPage,
  annotationsOf,
  reportLink,
  runPage,
} from './job-page.ts';
export { junitXml } from './junit.ts';
export { commitOf, readRunFacts } from './run-facts.ts';
export { consoleLines, linesOf, type RunLine, type RunReport, readOutcomes, runReport } from './summary.ts';
export { type Colours, colours, LiveLine, LiveProgress } from './terminal.ts';
