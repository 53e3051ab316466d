export { type Cause, causeLine, causesOf, type FailedTest, followsLine } from './causes/causes.ts';
export { isFromCleanUp, withPlace } from './causes/clean-up-error.ts';
export { type Failure, failureOfMessage, failureOfReason, IN_CLEAN_UP } from './causes/failure.ts';
export { agreed, assertConsent, consentTo, hasConsent } from './consent/consent.ts';
export type { WorldWithData } from './data/data-values.ts';
export { type Field, fieldsOf, nested, withField } from './data/invalid-input.ts';
export { forgetMemory } from './data/memory.ts';
export { ProvisionFailed } from './data/provisioner.ts';
export { sampleArguments } from './data/sample-arguments.ts';
export type { InvalidInput } from './data/send-invalid-input.ts';
export { NoItemLeft, storedItem } from './data/stored-item.ts';
export { markUsed, unusedItems } from './data/stored-items.ts';
export { InventedData, isMadeBySuite } from './data/test-data.ts';
export { assertJournalsWhole } from './journal/assert-whole.ts';
export { discardJournals } from './journal/journal-writer.ts';
export { unseenText } from './journal/leftovers.ts';
export { liveRuns, untilRunsAreClear } from './journal/live-runs.ts';
export { readJournals } from './journal/read-journals.ts';
export { runLocks, takeOutputLock, takeRunLock, usersOf } from './journal/run-lock.ts';
export { deleteModel, runModelTest, saveModel, setModel, setModelAtOnce } from './model-based/index.ts';
export { loadQuarantine } from './quarantine/load-quarantine.ts';
export {
  overText,
  QUARANTINE_ANNOTATION,
  type Quarantined,
  quarantineOf,
  quarantineText,
} from './quarantine/quarantine.ts';
export { type Finding, findingLines, keyLines } from './readings/finding.ts';
export { findingsOf } from './readings/readings.ts';
export type { HeaderChange } from './refusals/index.ts';
export { controlLog, spentLines } from './refusals/spent.ts';
export { commitOf, sharedSeed } from './sharding/pipeline.ts';
export {
  areaTags,
  isDivisible,
  limitOfShard,
  parseShard,
  SHARD_VARIABLE,
  type Shard,
  shardOfRun,
} from './sharding/shard.ts';
export { exchangeTitle, operationOf } from './specs/exchange-attachment.ts';
export { type Expect, expect, strictExpect } from './specs/expect.ts';
export { matchers } from './specs/matchers.ts';
export { memberMistake, refuseMembers } from './specs/runner-members.ts';
export { Skipped, whySkipped } from './specs/skip.ts';
export { mistakesIn } from './specs/spec-source.ts';
export { readTags, type Tagged } from './specs/tags.ts';
export { takenNames } from './specs/taken-names.ts';
export { unwritten } from './specs/unwritten.ts';
export { type LoggedCall, logCall, loggedCalls } from './state/call-log.ts';
export { keepEarlierRun } from './state/earlier-runs.ts';
export { noLongerJudged } from './state/last-judged.ts';
export {
  assertOutputFolder,
  isInteractive,
  outputFiles,
  outputFolder,
  separateInteractive,
  stateFolder,
  withMemory,
} from './state/output-folders.ts';
export { runFolder } from './state/run-folder.ts';
export { forgetRun } from './state/run-log.ts';
export { runSeed, SEED_VARIABLE, scenarioSeed } from './state/seed.ts';
export {
  collectingScenario,
  collectScenarios,
  type Declared,
  type DeclareScenario,
  type ScenarioBody,
} from './world/collector.ts';
export { nodeTransports, type Transports } from './world/transports.ts';
export { describeUndone, undoAndReportLeftovers, undoLeftovers, undoQuietly } from './world/undo-leftovers.ts';
export { undoLeftoversFirst } from './world/undo-leftovers-first.ts';
export { untilStopped } from './world/until-stopped.ts';
export { World } from './world/world.ts';
export { valueNames, type WorldValues } from './world/world-values.ts';
