/*
 * Runs scenarios in this process, and ends a scenario of either runner in one result.
 * It is given scenarios, an environment, and the events that a consumer wants.
 * It returns results with their causes. `ending/` serves both runners; `in-process/` is the runner without Playwright.
 */
export * from './ending/index.ts';
export { allScenarios, holdsFacts, type Scenario, scenarios } from './in-process/collect-scenarios.ts';
export { type RunAllOptions, runAll, shortestIntervalMs, shortestMs } from './in-process/run-all.ts';
export { notStarted, type RunOptions, runScenario } from './in-process/run-scenario.ts';
export { usedUpBy, usedUpOnce } from './in-process/used-up.ts';
