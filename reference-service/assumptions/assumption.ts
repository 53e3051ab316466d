import type { OperationId } from '../../src/spec/index.ts';

/** A gap in the specification, what this service assumes there, and why. */
export interface Assumption {
  readonly operations: readonly OperationId[];
  /** In the survey's words: `success-status`, `required-field:<f>`, `missing-header:<h>` … */
  readonly question: string;
  readonly answer: string;
  readonly why: string;
}

/** The answers to questions about the same operations, and why they are so. */
export function about(
  operations: Assumption['operations'],
  answers: Readonly<Record<string, readonly [answer: string, why: string]>>,
): Assumption[] {
  return Object.entries(answers).map(([question, [answer, why]]) => ({ operations, question, answer, why }));
}

/** In the survey's words. */
export const refused = (status: number) => `refused with ${status}`;
