interface GradeFacts {
  /** One phrase of Markdown, for docs/concepts.md. */
  readonly source: string;
  readonly broken: 'drifted' | 'failed';
}

/** The sources of expectations, the weightiest first. */
const table = {
  documented: { source: 'the specification', broken: 'failed' },
  specified: {
    source: "the team's own OpenAPI document, where the environment names one ([contract](contract.md))",
    broken: 'failed',
  },
  learned: {
    source: 'observed in this environment by a [survey](learn.md), and committed',
    broken: 'drifted',
  },
  assumed: { source: 'HTTP common sense: success is a 2xx, JSON is valid, no 5xx', broken: 'failed' },
} as const satisfies Record<string, GradeFacts>;

export type Grade = keyof typeof table;

export const gradeTable: Readonly<Record<Grade, GradeFacts>> = table;

/** An expectation in words, beginning with its grade: `documented: the list mentions a friend just blocked`. */
export type Claim = `${Grade}: ${string}`;

/** A claim that a spec may state. Claims from a team's document or from a survey differ by environment, so a spec can't contain them. */
export type StatedClaim = `${Exclude<Grade, 'specified' | 'learned'>}: ${string}`;

/** Whether a text begins with a grade. Types can't ensure this, because specs run without type checks. */
export function isClaim(text: unknown): text is Claim {
  return typeof text === 'string' && Object.keys(table).some((grade) => text.startsWith(`${grade}: `));
}

/** Splits a claim into its grade and the text after the grade. */
export function partsOf(claim: Claim): { readonly grade: Grade; readonly text: string } {
  const at = claim.indexOf(': ');
  return { grade: claim.slice(0, at) as Grade, text: claim.slice(at + 2) };
}
