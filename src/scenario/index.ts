export { type Cause, causeLine, causesOf, type FailedTest, followsLine } from './causes/causes.ts';
export {
  type Failure,
  failureOfMessage,
  failureOfReason,
  IN_CLEAN_UP,
  isFromCleanUp,
  withPlace,
} from './causes/failure.ts';
export { agreed, assertConsent, consentTo, hasConsent } from './consent/consent.ts';
export type { WorldWithData } from './data/data-values.ts';
export { type Field, fieldsOf, nested, withField } from './data/invalid-input.ts';
export { forgetMemory } from './data/memory.ts';
export { ProvisionFailed } from './data/provisioner.ts';
export { sampleArguments } from './data/sample-arguments.ts';
export type { InvalidInput } from './data/send-invalid-input.ts';
export { NoItemLeft, storedItem } from './data/stored-item.ts';
export { unusedItems } from './data/stored-items.ts';
export { InventedData, isMadeBySuite } from './data/test-data.ts';
export { discardJournals } from './journal/journal-writer.ts';
export { assertJournalsWhole, unseenText } from './journal/leftovers.ts';
export { readJournals } from './journal/read-journals.ts';
export { liveRuns, runLocks, takeOutputLock, takeRunLock, untilRunsAreClear, usersOf } from './journal/run-lock.ts';
export { deleteModel } from './model-based/deletes.ts';
export { runModelTest } from './model-based/run-model-test.ts';
export { saveModel } from './model-based/saves.ts';
export { setModel, setModelAtOnce } from './model-based/sets.ts';
export {
  loadQuarantine,
  overText,
  QUARANTINE_ANNOTATION,
  type Quarantined,
  quarantineOf,
  quarantineText,
} from './quarantine/quarantine.ts';
export { type Finding, findingLines, findingsOf, keyLines } from './readings/readings.ts';
export { controlLog, type HeaderChange, usedUpLines } from './refusals/index.ts';
export {
  areaTags,
  commitOf,
  isDivisible,
  limitOfShard,
  parseShard,
  SHARD_VARIABLE,
  type Shard,
  shardOfRun,
  sharedSeed,
} from './sharding/shard.ts';
export { exchangeTitle, operationOf } from './specs/exchange-attachment.ts';
export { type Expect, expect, strictExpect } from './specs/expect.ts';
export { matchers } from './specs/matchers.ts';
export { memberMistake, refuseMembers, unwritten } from './specs/runner-members.ts';
export { Skipped, whySkipped } from './specs/skip.ts';
export { mistakesIn } from './specs/spec-source.ts';
export { readTags, type Tagged, takenNames } from './specs/tags.ts';
export { type LoggedCall, logCall, loggedCalls } from './state/call-log.ts';
export { keepEarlierRun } from './state/earlier-runs.ts';
export { noLongerJudged } from './state/last-judged.ts';
export {
  assertOutputFolder,
  isInteractive,
  memoryFolders,
  outputFiles,
  outputFolder,
  separateInteractive,
  stateFolder,
  withMemory,
} from './state/output-folders.ts';
export { forgetRun, keepRunHere } from './state/run-log.ts';
export { runSeed, SEED_VARIABLE, scenarioSeed } from './state/seed.ts';
export {
  collectingScenario,
  collectScenarios,
  type Declared,
  type DeclareScenario,
  type ScenarioBody,
} from './world/collector.ts';
export {
  describeUndone,
  undoAndReportLeftovers,
  undoLeftovers,
  undoLeftoversFirst,
  undoQuietly,
} from './world/undo-leftovers.ts';
export { untilStopped } from './world/until-stopped.ts';
export { nodeTransports, type Transports, World } from './world/world.ts';
export { valueNames, type WorldValues } from './world/world-values.ts';
