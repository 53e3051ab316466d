export { categories } from './allure/labels.ts';
export { latencyKey, latencyNames } from './allure/latency.ts';
export { slimReport } from './allure/slim-report.ts';
export { requestsText, summaryMarkdown, summaryText } from './console/summary-text.ts';
export { type Colours, colours, LiveLine, progressText } from './console/terminal.ts';
export {
  addToJobPage,
  causeAnnotation,
  causesMarkdown,
  closingMarkdown,
  lineOfTitle,
  reportLink,
  runMarkdown,
} from './job-page.ts';
export { type JunitCase, junitXml } from './junit.ts';
export { publish } from './publish-site.ts';
export { readRunFacts, SELECTION_VARIABLE, TESTED_VARIABLE } from './run-facts.ts';
export { causesOfOutcomes, readOutcomes, type Summary, summarise } from './summary.ts';
