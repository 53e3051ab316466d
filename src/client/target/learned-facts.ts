/** A decided fact of a survey: the answer to one question about one operation. */
export interface LearnedFact {
  readonly operation: string;
  readonly question: string;
  readonly answer: string;
  /** ISO 8601. */
  readonly observedAt: string;
  /** Its evidence: redacted responses. */
  readonly evidence: readonly { readonly excerpt: string }[];
}

/** The facts about an environment, by `factKey`. */
export type LearnedFacts = ReadonlyMap<string, LearnedFact>;

export function factKey(operation: string, question: string): string {
  return `${operation} ${question}`;
}
