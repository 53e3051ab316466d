export { type Fact, Facts } from './facts.ts';
export { factsText, factText, parseFacts } from './facts-file.ts';
export { isAmong, surveyCommand } from './survey-command.ts';
