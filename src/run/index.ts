/*
 * Runs scenarios in this process, and turns an ended scenario of either runner into a result.
 * Input: scenarios, an environment, and handlers for the events of the run.
 * Output: results with their causes. `ending/` serves both runners; `in-process/` is the runner without Playwright.
 */
export * from './ending/index.ts';
export { allScenarios, holdsFacts, type Scenario, scenarios } from './in-process/collect-scenarios.ts';
export { type RunAllOptions, runAll, shortestIntervalMs, shortestMs } from './in-process/run-all.ts';
export { notStarted, type RunOptions, runScenario } from './in-process/run-scenario.ts';
export { usedUpBy, usedUpOnce } from './in-process/used-up.ts';
