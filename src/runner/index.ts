export { allScenarios, type Scenario, scenarios } from './collect-scenarios.ts';
export {
  type Certificate,
  type ConnectProblem,
  certificatesOf,
  connectProblem,
  type HostPort,
  hostFailureOf,
  hostFailures,
  hostPhases,
  hostPortOf,
  provisionerFallback,
} from './hosts.ts';
export { notStarted, type RunAllOptions, runAll, shortestIntervalMs, shortestMs } from './run-all.ts';
export { type RunOptions, runScenario } from './run-scenario.ts';
export {
  causesOfResults,
  exitCode,
  overallVerdict,
  phaseSums,
  type ScenarioResult,
  STOPPED,
} from './scenario-result.ts';
export { isOutOfTime, NoTimeLeft, stopsOf } from './time-limits.ts';
