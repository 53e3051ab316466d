import type { OperationId } from '../../src/spec/index.ts';

/** A gap in the specification, what this service assumes there, and why. */
export interface Assumption {
  readonly operations: readonly OperationId[];
  /** In the survey's words: `success-status`, `required-field:<f>`, `missing-header:<h>` … */
  readonly question: string;
  readonly answer: string;
  readonly why: string;
}
