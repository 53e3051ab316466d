export { compareSurveys } from './compare/index.ts';
export { type Format, formats, showDifferences } from './compare/show.ts';
export { type Fact, UNDECIDED } from './fact.ts';
export { openApiDocument } from './openapi/document.ts';
export { preflight } from './preflight.ts';
export { ProgressFile } from './progress-file.ts';
export { runSurvey, type SurveyRun } from './run-survey.ts';
export { bestAnswers, bestFacts, changes } from './survey-changes.ts';
export { type KeptSurvey, keptSurvey, readSurvey, writeSurvey } from './survey-files.ts';
