export {
  type Certificate,
  certificatesOf,
  exitCode,
  isOutOfTime,
  NoTimeLeft,
  overallVerdict,
  phaseSums,
  type ScenarioResult,
  stopsOf,
} from '../ending/index.ts';
export { allScenarios, holdsFacts, type Scenario, scenarios } from './collect-scenarios.ts';
export {
  type ConnectProblem,
  connectProblem,
  type HostPort,
  hostFailureOf,
  hostFailures,
  hostPortOf,
  provisionerFallback,
} from './hosts.ts';
export { type RunAllOptions, runAll, shortestIntervalMs, shortestMs } from './run-all.ts';
export { notStarted, type RunOptions, runScenario } from './run-scenario.ts';
export { usedUpBy, usedUpOnce } from './used-up.ts';
