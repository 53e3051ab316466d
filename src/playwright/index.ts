/*
 * The same scenarios under Playwright Test: what its reporters write and the command line reads.
 * It is given Playwright's results, with a `ScenarioResult` attached to each test.
 * It writes console lines, Allure results, JUnit, the summary and the page of a job.
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
export { consoleLines, linesOf, type RunLine, readOutcomes, type Told, told } from './summary.ts';
export { type Colours, colours, LiveLine, LiveProgress } from './terminal.ts';
