/*
 * This folder holds everything that both runners share: declarations of scenarios, the world of a scenario, users, test data, and the memory
 * of a run.
 * It takes an environment and transports, and makes every request pass the safety checks of `src/safety/`.
 * It gives a `World`, in which fixtures make the values that a scenario asks for by name.
 */
export { askerOf } from './asking/asker.ts';
export { ExperimentRunner } from './asking/experiment-runner.ts';
export { NoResponse, RequestBudget, SurveyEnded } from './asking/request-budget.ts';
export { configuredIn } from './data/configured-data.ts';
export {
  callerOf,
  friendOf,
  needed,
  sampleArguments,
  storedItemOf,
  strangerOf,
  typeClone,
} from './data/data-values.ts';
export { type Field, fieldsOf, type InvalidInput, withField } from './data/invalid-input.ts';
export { namingOf } from './data/proving-keys.ts';
export { shownItems } from './data/shown-items.ts';
export { NoItemLeft, withStoredItems } from './data/stored-item.ts';
export { itemLines, unusedItems } from './data/stored-items.ts';
export {
  inventedData,
  runSeed,
  SEED_VARIABLE,
  scenarioSeed,
} from './data/test-data.ts';
export { type Actor, ProvisionFailed } from './data/users.ts';
export { type CallByName, callByName, type WorldBasis } from './data/world-basis.ts';
export { type AskedFact, askedFacts, askedLines, type Failing, factLogs } from './facts/asked-facts.ts';
export { type ModelTest, runModelTest } from './model-based/model-test.ts';
export { deleteModel, saveModel, setModel, setModelAtOnce } from './model-based/models.ts';
export { suspectsOf } from './open-questions/circumstances.ts';
export {
  ALL_CALLS,
  type CallEntry,
  callEntry,
  callScript,
  exchangeTitle,
  FAILING_CALL,
  folded,
  type LoggedCall,
  logCall,
  loggedCalls,
} from './run-files/call-log.ts';
export {
  assertOutputFolder,
  clearResults,
  isInteractive,
  mendHistory,
  outputFiles,
  outputFolder,
  separateInteractive,
  takeOutputLock,
  withUsedItems,
} from './run-files/output-folders.ts';
export { awaitedInRun, forgetRun, keepRunHere, runLog } from './run-files/run-log.ts';
export { type Expect, expect, matchers, strictExpect } from './specs/expect.ts';
export { failed, probe } from './specs/probe.ts';
export { endsUnjudged, guardProcess, staysWhateverIsLate, watchStrays } from './specs/process-guard.ts';
export { SpecRun } from './specs/spec-run.ts';
export { declarationMistakes, foreignImports, importsOf, sameTitle } from './specs/static-mistakes.ts';
export { namesTaken, RESTORABLE, readTags, Skipped, type Tagged, whySkipped } from './specs/tags.ts';
export {
  collectingScenario,
  collectScenarios,
  type Declared,
  type DeclareScenario,
  refuseMembers,
  type ScenarioBody,
  unwritten,
} from './world/collector.ts';
export { type FixtureTable, type GivenBy, useOf } from './world/fixture-table.ts';
export { nodeTransports, type Transports } from './world/transports.ts';
export { type Closed, type Verified, World } from './world/world.ts';
