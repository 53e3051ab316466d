export { sampleArguments, type WorldWithData } from './data/data-values.ts';
export { type Field, fieldsOf, type InvalidInput, nested, withField } from './data/invalid-input.ts';
export { forgetMemory } from './data/memory.ts';
export { NoItemLeft, storedItem } from './data/stored-item.ts';
export { unusedItems } from './data/stored-items.ts';
export {
  type InventedData,
  inventedData,
  runSeed,
  SEED_VARIABLE,
  scenarioSeed,
} from './data/test-data.ts';
export { ProvisionFailed } from './data/users.ts';
export { runModelTest } from './model-based/model-test.ts';
export { deleteModel, saveModel, setModel, setModelAtOnce } from './model-based/models.ts';
export { type Finding, findingLines, findingsOf, keyLines } from './readings/readings.ts';
export { controlLog, type HeaderChange, usedUpLines } from './refusals/index.ts';
export { type Expect, expect, matchers, strictExpect } from './specs/expect.ts';
export { declarationMistakes, foreignImports, sameTitle, waitsAndRetries } from './specs/static-mistakes.ts';
export { namesTaken, readTags, Skipped, type Tagged, whySkipped } from './specs/tags.ts';
export {
  ALL_CALLS,
  callScript,
  exchangeTitle,
  FAILING_CALL,
  type LoggedCall,
  logCall,
  loggedCalls,
} from './state/call-log.ts';
export { noLongerJudged } from './state/last-judged.ts';
export {
  assertOutputFolder,
  isInteractive,
  keepEarlierRun,
  memoryFolders,
  outputFiles,
  outputFolder,
  separateInteractive,
  takeOutputLock,
  withMemory,
} from './state/output-folders.ts';
export { forgetRun, keepRunHere, type RunLog, runLog } from './state/run-log.ts';
export {
  collectingScenario,
  collectScenarios,
  type Declared,
  type DeclareScenario,
  refuseMembers,
  type ScenarioBody,
  unwritten,
} from './world/collector.ts';
export { nodeTransports, type Transports } from './world/transports.ts';
export { untilStopped } from './world/until-stopped.ts';
export { type Closed, World } from './world/world.ts';
export { valueNames, type WorldValues } from './world/world-values.ts';
