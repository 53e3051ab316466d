/** How the failing call of a scenario ended: with a response, or in a phase without one. */
export type CallEnding = { readonly status: number; readonly text: string } | { readonly phase: string };

/** A scenario of an incident that fell short, as far as its cause can be guessed from it. */
export interface FailedScenario {
  readonly title: string;
  readonly ending?: CallEnding;
  /** Of its failing call. */
  readonly operation?: string;
}

/** Names what probably broke, in a sentence; `undefined` where nothing agrees with the evidence. `ran` are all titles that ran. */
export type GuessCause = (failed: readonly FailedScenario[], ran: readonly string[]) => string | undefined;
