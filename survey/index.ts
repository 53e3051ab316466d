export { bestAnswers, bestFacts, type Change, changes } from './changes.ts';
export { type EndReason, SurveyEnded } from './ended.ts';
export { type Fact, type Survey, UNDECIDED } from './fact.ts';
export { type KeptSurvey, keptSurvey, readSurvey, writeSurvey } from './files.ts';
export { type Health, health } from './health.ts';
export { ProgressFile } from './progress.ts';
export { runSurvey, type SurveyOptions, type SurveyRun } from './run.ts';
