/*
 * Surveys an environment: asks every question, infers schemas of responses, compares environments, and exports their operations.
 * Input: an environment, whose limits set the rate of requests.
 * Output: findings, which `keepSurvey` writes as facts and observed schemas.
 */
export { compareSurveys, type Format, formats, showDifferences } from './compare/index.ts';
export type { Learned } from './compare/schemas.ts';
export { exportedEnvironment } from './export/exported-requests.ts';
export { type ExportFormatName, exportFormats } from './export/formats.ts';
export { openApiDocument } from './export/openapi.ts';
export { type Finding, isDecided, unansweredLines } from './findings.ts';
export { type KeptSurvey, keepSurvey } from './keep-survey.ts';
export { preflight } from './preflight.ts';
export { questionsOf, runSurvey, type SurveyRun, surveyedAt } from './run-survey.ts';
