/**
 * The source of an expectation. documented: the specification · learned: observed in this environment and
 * committed · assumed: HTTP common sense.
 */
export const grades = ['documented', 'learned', 'assumed'] as const;

export type Grade = (typeof grades)[number];

/** An expectation in words, beginning with its grade: `documented: the list mentions a friend just blocked`. */
export type Claim = `${Grade}: ${string}`;

/** The claim of a spec: what was learned stands in no spec. */
export type StatedClaim = `${Exclude<Grade, 'learned'>}: ${string}`;

/** The verdict on a scenario with a broken expectation of this grade. */
export function verdictOfBroken(grade: Grade): 'drifted' | 'failed' {
  return grade === 'learned' ? 'drifted' : 'failed';
}

/** The grade at the beginning of a text; `undefined` if it is not a claim. */
export function gradeOf(text: string): Grade | undefined {
  return grades.find((grade) => text.startsWith(`${grade}: `));
}
