export { type Certificate, certificatesOf } from './certificates.ts';
export { allScenarios, type Scenario, scenarios } from './collect.ts';
export { type HostFailure, hostFailureOf, hostFailures } from './hosts.ts';
export { exitCode, overall } from './overall.ts';
export type { ScenarioResult } from './result.ts';
export { type RunAllOptions, runAll } from './run-all.ts';
export { runScenario } from './run-scenario.ts';
