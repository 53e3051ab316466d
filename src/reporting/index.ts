export { categories } from './allure/labels.ts';
export { latencyKey, latencyNames } from './allure/latency.ts';
export { slimReport } from './allure/slim-report.ts';
export { summaryText } from './console/summary-text.ts';
export { type Colours, colours, LiveLine, LiveProgress } from './console/terminal.ts';
export {
  addToJobPage,
  causeAnnotation,
  closingMarkdown,
  lineOfTitle,
  reportLink,
} from './job-page.ts';
export { junitXml } from './junit.ts';
export { commitOf, readRunFacts, SELECTION_VARIABLE, TESTED_VARIABLE } from './run-facts.ts';
export { causesOfOutcomes, readOutcomes, type Summary, type TestOutcome } from './summary.ts';
export { messageOf, runPage } from './write-run.ts';
