import type { Fact, Facts } from '../facts/index.ts';
import { isSameAnswer } from '../questions/index.ts';
import type { ObservedOperation } from '../verdict/index.ts';
import { answerChanges, responseChanges, responsesOf } from './compare/schemas.ts';
import { type Finding, isDecided } from './findings.ts';

export interface SurveyChange {
  readonly operation: string;
  readonly what: string;
  /** Whether the difference may be chance: other samples of an unchanged service might differ in the same way. */
  readonly mayBeChance: boolean;
}

/** The facts that a survey adds to those of an environment, and those that it contradicts. */
export interface FactChanges {
  readonly missing: readonly Fact[];
  readonly changed: readonly { readonly before: Fact; readonly after: Fact }[];
}

export function factChanges(known: Facts, findings: readonly Finding[]): FactChanges {
  const decided = findings.filter(isDecided);
  const earlier = ({ question, operation }: Fact) => known.of(question, operation);
  return {
    missing: decided.filter((fact) => !earlier(fact)),
    changed: decided.flatMap((after) => {
      const before = earlier(after);
      return before && !isSameAnswer(before.answer, after.answer) ? [{ before, after }] : [];
    }),
  };
}

/**
 * For each kind of response, the better observation of two surveys: normally the one with more samples. The new one also wins if it
 * contradicts the old one. Kinds that the new survey didn't see are kept.
 */
export function bestAnswers(
  before: readonly ObservedOperation[],
  after: readonly ObservedOperation[],
): ObservedOperation[] {
  const names = new Set([...before, ...after].map(({ operation }) => operation));
  return [...names].map((operation) => {
    const answers = { ...responsesOf({ answers: before }, operation) };
    for (const [kind, answer] of Object.entries(responsesOf({ answers: after }, operation))) {
      const known = answers[kind];
      // Even a few samples that contradict the old ones show that the service has changed.
      const isBetter =
        !known ||
        answer.samples >= known.samples ||
        answerChanges(known, answer).some(({ evidence }) => evidence === 'contradiction');
      if (isBetter) answers[kind] = answer;
    }
    const sorted = Object.entries(answers).sort(([a], [b]) => a.localeCompare(b));
    return { operation, answers: Object.fromEntries(sorted) };
  });
}

/** The operations whose responses were never observed before. */
export function newAnswers(before: readonly ObservedOperation[], after: readonly ObservedOperation[]) {
  return after.filter(({ operation }) => !before.some((known) => known.operation === operation));
}

/** The differences between the earlier observed responses and the new ones. */
export function answersChanged(
  before: readonly ObservedOperation[],
  after: readonly ObservedOperation[],
): SurveyChange[] {
  const known = before.map(({ operation }) => operation);
  return after
    .filter(({ operation }) => known.includes(operation))
    .flatMap(({ operation, answers }): SurveyChange[] => {
      const old = responsesOf({ answers: before }, operation);
      const fresh = Object.keys(answers).filter((kind) => !old[kind]);
      return [
        ...responseChanges(operation, { answers: before }, { answers: after }),
        ...fresh.map((kind) => ({ operation, what: `response ${kind} (new)`, mayBeChance: false })),
      ];
    });
}
