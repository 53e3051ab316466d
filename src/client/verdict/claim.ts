/**
 * Where an expectation comes from. documented: the document says so · learned: observed in this environment and
 * committed · assumed: HTTP common sense.
 */
export const grades = ['documented', 'learned', 'assumed'] as const;

export type Grade = (typeof grades)[number];

/** An expectation in words, led by its grade: `documented: the list mentions a friend just blocked`. */
export type Claim = `${Grade}: ${string}`;

/** The verdict on a scenario in which an expectation of this grade broke. */
export function verdictOfBroken(grade: Grade): 'drifted' | 'failed' {
  return grade === 'learned' ? 'drifted' : 'failed';
}

/** The grade that a text is led by; `undefined` when it makes no claim. */
export function gradeOf(text: string): Grade | undefined {
  return grades.find((grade) => text.startsWith(`${grade}: `));
}
