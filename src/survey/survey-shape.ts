import { isObservedOperation, type ObservedOperation } from '../client/index.ts';
import type { Fact, Survey } from './fact.ts';

/** Whether a value that was read from a file is what a survey writes; its responses may be absent. */
export function isSurvey(value: unknown): value is Survey & { readonly answers?: readonly ObservedOperation[] } {
  if (typeof value !== 'object' || value === null) return false;
  const { environment, facts, answers } = value as Record<string, unknown>;
  const areAnswers = answers === undefined || (Array.isArray(answers) && answers.every(isObservedOperation));
  return typeof environment === 'string' && Array.isArray(facts) && facts.every(isFact) && areAnswers;
}

function isFact(value: unknown): value is Fact {
  if (typeof value !== 'object' || value === null) return false;
  const { operation, question, answer, observedAt, evidence } = value as Record<string, unknown>;
  return [operation, question, answer, observedAt].every((each) => typeof each === 'string') && Array.isArray(evidence);
}
