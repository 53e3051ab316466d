export { bestAnswers, bestFacts, changes } from './changes.ts';
export { compareSurveys } from './compare/index.ts';
export { type Format, formats, showDifferences } from './compare/show.ts';
export { type Fact, UNDECIDED } from './fact.ts';
export { type KeptSurvey, keptSurvey, readSurvey, writeSurvey } from './files.ts';
export { health } from './health.ts';
export { openApiDocument } from './openapi/document.ts';
export { ProgressFile } from './progress.ts';
export { runSurvey, type SurveyRun } from './run.ts';
