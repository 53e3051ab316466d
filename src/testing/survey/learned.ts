import type { Fact } from '../../facts/index.ts';
import type { ObservedResponse } from '../../verdict/index.ts';

export function fact(question: string, answer: string, askedAt = '2026-01-01'): Fact {
  return { operation: 'love', question, answer, evidence: 'a valid request twice: 200', askedAt };
}

/** Observed responses of `love`, by their kind. Each has 30 samples with a JSON body, unless `by` has other values. */
export function answers(by: Readonly<Record<string, Partial<ObservedResponse>>>) {
  const usual = { contentTypes: ['application/json'], samples: 30, observedAt: '2026-01-01T00:00:00Z', body: 'always' };
  const entries = Object.entries(by).map(([kind, each]) => [kind, { ...usual, ...each } as ObservedResponse]);
  return { operation: 'love' as const, answers: Object.fromEntries(entries) as Record<string, ObservedResponse> };
}
