/** What a survey found of one question about one operation, and decided. */
export interface LearnedFact {
  readonly operation: string;
  readonly question: string;
  readonly answer: string;
  /** ISO 8601. */
  readonly observedAt: string;
  /** The responses that it rests on, redacted. */
  readonly evidence: readonly { readonly excerpt: string }[];
}

/** What surveys found of an environment, by `factKey`. */
export type LearnedFacts = ReadonlyMap<string, LearnedFact>;

export function factKey(operation: string, question: string): string {
  return `${operation} ${question}`;
}
