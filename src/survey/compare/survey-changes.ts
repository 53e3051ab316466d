import type { ObservedOperation } from '../../client/index.ts';
import { type Fact, UNDECIDED } from '../facts/fact.ts';
import type { Learned } from '../facts/survey-files.ts';
import { answerChanges, responseChanges, responsesOf } from './schemas.ts';

export interface SurveyChange {
  readonly operation: string;
  readonly what: string;
  /** When the committed result was observed, ISO 8601; empty for a new one. */
  readonly observedAt: string;
}

const key = ({ operation, question }: Fact) => `${operation} ${question}`;

/**
 * The facts to keep: a question that is undecided in the new survey keeps its earlier answer, and so does each that it
 * left out, if it is only part of a survey (`isPart`).
 */
export function bestFacts(before: readonly Fact[], after: readonly Fact[], isPart = false): Fact[] {
  const known = new Map(before.map((fact) => [key(fact), fact]));
  const best = after.map((fact) => {
    const earlier = known.get(key(fact));
    return fact.answer === UNDECIDED && earlier && earlier.answer !== UNDECIDED ? earlier : fact;
  });
  if (!isPart) return best;
  const found = new Map(best.map((fact) => [key(fact), fact]));
  const kept = before.map((fact) => found.get(key(fact)) ?? fact);
  return [...kept, ...best.filter((fact) => !known.has(key(fact)))];
}

/** The responses to keep: unobserved ones stay, and fewer samples replace more only if they contradict them. */
export function bestAnswers(
  before: readonly ObservedOperation[],
  after: readonly ObservedOperation[],
): ObservedOperation[] {
  const names = new Set([...before, ...after].map(({ operation }) => operation));
  return [...names].map((operation) => {
    const answers = { ...responsesOf({ answers: before }, operation) };
    for (const [kind, answer] of Object.entries(responsesOf({ answers: after }, operation))) {
      const known = answers[kind];
      // What contradicts them counts, however few samples there are.
      const isBetter =
        !known ||
        answer.samples >= known.samples ||
        answerChanges(known, answer).some(({ isContradiction }) => isContradiction);
      if (isBetter) answers[kind] = answer;
    }
    const sorted = Object.entries(answers).sort(([a], [b]) => a.localeCompare(b));
    return { operation, answers: Object.fromEntries(sorted) };
  });
}

/** The changes, oldest evidence first, new results last. */
export function changes(before: Learned, after: Learned): SurveyChange[] {
  const known = new Map(before.facts.map((fact) => [key(fact), fact]));
  // Without earlier facts, all of them would be new, which is not worth listing.
  const compared = before.facts.length > 0 ? after.facts : [];
  const ofFacts = compared.flatMap((fact): SurveyChange[] => {
    const { operation, question, answer } = fact;
    const earlier = known.get(key(fact));
    if (earlier?.answer === answer) return [];
    const what = earlier ? `${question}: ${earlier.answer} → ${answer}` : `${question}: ${answer} (new)`;
    return [{ operation, what, observedAt: earlier?.observedAt ?? '' }];
  });
  const ofAnswers = after.answers.flatMap(({ operation, answers }): SurveyChange[] => {
    const old = responsesOf(before, operation);
    const fresh = Object.keys(answers).filter((kind) => !old[kind]);
    return [
      ...responseChanges(operation, before, after),
      ...fresh.map((kind) => ({ operation, what: `response ${kind} (new)`, observedAt: '' })),
    ];
  });
  // ISO 8601 sorts as text, and no year begins with a letter.
  const age = ({ observedAt }: SurveyChange) => observedAt || 'new';
  return [...ofFacts, ...ofAnswers].sort((a, b) => (age(a) < age(b) ? -1 : Number(age(a) > age(b))));
}
