export { type Certificate, certificatesOf } from './certificates.ts';
export { allScenarios, type Scenario, scenarios } from './collect-scenarios.ts';
export { exitCode, overallVerdict } from './exit-code.ts';
export { type HostFailure, hostFailureOf, hostFailures, hostPhases } from './host-failures.ts';
export { isOutOfTime, NoTimeLeft } from './no-time-left.ts';
export { notStarted, type RunAllOptions, runAll } from './run-all.ts';
export { runScenario } from './run-scenario.ts';
export type { ScenarioResult } from './scenario-result.ts';
