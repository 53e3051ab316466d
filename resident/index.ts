export { type Assessment, assess } from './assess.ts';
export { allScenarios, type Scenario, scenarios } from './collect.ts';
export { exitCode, overall } from './overall.ts';
export type { ScenarioResult } from './result.ts';
export { type RunAllOptions, runAll } from './run-all.ts';
export { type RunOptions, runScenario } from './run-scenario.ts';
