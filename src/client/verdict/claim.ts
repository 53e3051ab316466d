interface GradeFacts {
  /** One phrase of Markdown, for docs/check.md. */
  readonly source: string;
  readonly broken: 'drifted' | 'failed';
  /** The drill's faults break such expectations, so that what they look like says something about one that is broken. */
  readonly isDrilled: boolean;
}

/** The sources of expectations, the weightiest first. */
const table = {
  documented: { source: 'the specification', broken: 'failed', isDrilled: true },
  specified: {
    source: "the team's own OpenAPI document, where the environment names one ([contract](contract.md))",
    broken: 'failed',
    isDrilled: false,
  },
  learned: {
    source: 'observed in this environment by a [survey](survey.md), and committed',
    broken: 'drifted',
    isDrilled: false,
  },
  assumed: { source: 'HTTP common sense: success is a 2xx, JSON is valid, no 5xx', broken: 'failed', isDrilled: true },
} as const satisfies Record<string, GradeFacts>;

/** The source of an expectation. */
export type Grade = keyof typeof table;

/** The table of grades, the weightiest first. */
export const gradeTable: Readonly<Record<Grade, GradeFacts>> = table;

const grades = Object.keys(table) as Grade[];

/** An expectation in words, beginning with its grade: `documented: the list mentions a friend just blocked`. */
export type Claim = `${Grade}: ${string}`;

/** The claim of a spec: what a team specified and what was learned differ by environment, and stand in no spec. */
export type StatedClaim = `${Exclude<Grade, 'specified' | 'learned'>}: ${string}`;

export function verdictOfBroken(grade: Grade): 'drifted' | 'failed' {
  return gradeTable[grade].broken;
}

export function gradeOf(text: string): Grade | undefined {
  return grades.find((grade) => text.startsWith(`${grade}: `));
}
