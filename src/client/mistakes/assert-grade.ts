import { type Claim, gradeOf } from '../verdict/claim.ts';
import { SpecMistake } from './spec-mistake.ts';

/** @throws SpecMistake for a text that doesn't begin with a grade, which the compiler finds where it knows the text. */
export function assertGrade(call: string, claim: string | undefined): asserts claim is Claim {
  if (typeof claim !== 'string' || !gradeOf(claim)) throw SpecMistake.of('no grade', { call });
}
