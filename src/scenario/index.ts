export { type LoggedCall, logCall, loggedCalls } from './call-log.ts';
export { type Cause, causeLine, causesOf, type FailedTest, followsLine } from './causes/causes.ts';
export { isFromCleanUp, withPlace } from './causes/clean-up-error.ts';
export { type Failure, failureOfMessage, failureOfReason, IN_CLEAN_UP } from './causes/failure.ts';
export {
  collectingScenario,
  collectScenarios,
  type Declared,
  type DeclareScenario,
  type ScenarioBody,
} from './collector.ts';
export { agreed, assertConsent, consentTo, hasConsent } from './consent/consent.ts';
export type { WorldWithData } from './data-values.ts';
export { keepEarlierRun } from './earlier-runs.ts';
export { exchangeTitle, operationOf } from './exchange-attachment.ts';
export { type Expect, expect, strictExpect } from './expect.ts';
export { type Field, fieldsOf, nested, withField } from './invalid-input.ts';
export { assertJournalsWhole } from './journal/assert-whole.ts';
export { discardJournals } from './journal/journal-writer.ts';
export { unseenText } from './journal/leftovers.ts';
export { liveRuns } from './journal/live-runs.ts';
export { readJournals } from './journal/read-journals.ts';
export { describeUndone, undoAndReportLeftovers, undoLeftovers, undoQuietly } from './journal/undo-leftovers.ts';
export { undoLeftoversFirst } from './journal/undo-leftovers-first.ts';
export { noLongerJudged } from './last-judged.ts';
export { matchers } from './matchers.ts';
export { forgetMemory } from './memory.ts';
export { avatars, blocks, blocksAtOnce, deletes, loves, runModelTest } from './model-based/index.ts';
export { assertOutputFolder, outputFiles, outputFolder, stateFolder, withMemory } from './output-folders.ts';
export { ProvisionFailed } from './provisioner.ts';
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
export { runFolder } from './run-folder.ts';
export { runLocks, takeOutputLock, takeRunLock, usersOf } from './run-lock.ts';
export { forgetRun } from './run-log.ts';
export { memberMistake, refuseMembers } from './runner-members.ts';
export { sampleArguments } from './sample-arguments.ts';
export { runSeed, SEED_VARIABLE, scenarioSeed } from './seed.ts';
export type { InvalidInput } from './send-invalid-input.ts';
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
export { Skipped, whySkipped } from './skip.ts';
export { mistakesIn } from './spec-source.ts';
export { NoItemLeft, storedItem } from './stored-item.ts';
export { markUsed, unusedItems } from './stored-items.ts';
export { readTags, type Tagged } from './tags.ts';
export { takenNames } from './taken-names.ts';
export { InventedData, isMadeBySuite } from './test-data.ts';
export { nodeTransports, type Transports } from './transports.ts';
export { untilStopped } from './until-stopped.ts';
export { unwritten } from './unwritten.ts';
export { World, type WorldOptions } from './world.ts';
export { valueNames, type WorldValues } from './world-values.ts';
