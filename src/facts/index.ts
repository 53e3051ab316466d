/*
 * The facts of an environment: answers to questions that the specification leaves open, each with the requests that showed it.
 * Its input is the text of `environments/<name>.facts.json`.
 * It returns one look-up by question and operation.
 */
export { type Fact, Facts, type FactsDocument } from './facts.ts';
export { factsText, factText, parseFacts } from './facts-file.ts';
export { isAmong, surveyCommand } from './survey-command.ts';
