export type { Odd } from './attempt.ts';
export type { CallByName } from './call-by-name.ts';
export { callLogFolder, type LoggedCall, logCall, loggedCalls } from './call-log.ts';
export {
  collectingScenario,
  collectScenarios,
  type Declared,
  type ScenarioBody,
  type ScenarioDetails,
} from './collector.ts';
export { consentTo } from './consent/consent.ts';
export { Contexts } from './contexts.ts';
export { CURL_ATTACHMENT } from './curl-attachment.ts';
export { Data, MADE_BY } from './data.ts';
export { expect } from './expect.ts';
export { describeUndone, takeBackLeftovers } from './journal/take-back-leftovers.ts';
export { undoLeftovers } from './journal/undo-leftovers.ts';
export { outputFiles, outputFolder } from './output.ts';
export { ProvisionFailed } from './provision.ts';
export { runFolder } from './run-folder.ts';
export { sampleArguments } from './sample-arguments.ts';
export { runSeed, SEED_VARIABLE, scenarioSeed } from './seed.ts';
export { readTags, Skipped, TagError, whySkipped } from './skip.ts';
export { type Field, fieldsOf, nested, withField } from './spoil.ts';
export { avatars, blocks, blocksAtOnce, deletes, loves, runWalk, type Walk } from './stateful/index.ts';
export { unusedItems } from './stored-items.ts';
export { Stopped, untilStopped } from './until-stopped.ts';
export { World, type WorldOptions } from './world.ts';
export { valueNames, type WorldValues } from './world-values.ts';
