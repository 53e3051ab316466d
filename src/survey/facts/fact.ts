import { curlLine, type Exchange, type LearnedFact, responseLine } from '../../client/index.ts';

interface Evidence {
  readonly curl: string;
  /** null without a response. */
  readonly status: number | null;
  readonly excerpt: string;
}

export interface Fact extends LearnedFact {
  /** The attempts made, if it isn't decided. */
  readonly tried?: string;
  readonly samples: number;
  readonly evidence: readonly Evidence[];
}

/** `surveys/<environment>.json`. */
export interface Survey {
  readonly environment: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  readonly facts: readonly Fact[];
}

export interface Finding {
  readonly answer: Fact['answer'];
  readonly seen: readonly Exchange[];
  /** Number of responses, if more than those. */
  readonly samples?: number;
}

export const UNDECIDED = 'undecided';

/** The experiment doesn't decide the question; has what was tried. */
export class Undecided extends Error {
  override readonly name = 'Undecided';
  readonly seen: readonly Exchange[];

  constructor(tried: string, seen: readonly Exchange[] = []) {
    super(tried);
    this.seen = seen;
  }
}

/** A question that could not be decided, with the reason, and what was tried. */
export function undecided(operation: string, question: string, tried: string, seen: readonly Exchange[] = []): Fact {
  const observedAt = new Date().toISOString();
  return {
    operation,
    question,
    answer: UNDECIDED,
    tried,
    samples: seen.length,
    observedAt,
    evidence: evidenceOf(seen),
  };
}

/** The first and the last exchange are enough. */
export function evidenceOf(seen: readonly Exchange[]): Evidence[] {
  const shown = seen.length <= 2 ? seen : [seen[0] as Exchange, seen.at(-1) as Exchange];
  return shown.map(({ request, response, failure }) => {
    const curl = curlLine(request);
    return {
      curl: curl.length > 600 ? `${curl.slice(0, 600)}… (${curl.length} characters)` : curl,
      status: response?.status ?? null,
      excerpt: response ? responseLine(response) : `no response: ${failure?.reason ?? 'unknown'}`,
    };
  });
}

/** At least one of these questions must be refused, otherwise the shape of a refusal is unknown. */
const mustBeRefused = /^(malformed-json|method-not-allowed|(missing|wrong)-header:)/;

const leansOnAcceptance = /^(accepted|optional|any case|not tied|none up to|all that were tried|[A-Z]+ is accepted)/;

const leansOnRefusal = /refused|required|tied|only |not |, else| of \d+ tried/;

/**
 * Revises the facts of one operation: if nothing was ever refused, "accepted" means nothing, because the body may
 * signal what the status doesn't.
 */
export function withoutEmptyAcceptance(facts: readonly Fact[]): Fact[] {
  const asked = facts.filter(({ question, answer }) => mustBeRefused.test(question) && answer !== UNDECIDED);
  const isMute = asked.length >= 2 && asked.every(({ answer }) => /^accepted|is accepted/.test(answer));
  const tried = 'no invalid request was refused; if the body signals success, set SUCCESS_WHEN';
  return leftUndecided(facts, ({ answer }) => isMute && leansOnAcceptance.test(answer), tried);
}

/** Whether a fact is true only if valid requests were still accepted when it was found. */
export function isOfRefusal({ question, answer }: Fact): boolean {
  return question === 'error-shape' || leansOnRefusal.test(answer);
}

/** Revises the facts of an operation whose valid request is no longer accepted, which may explain earlier refusals. */
export function withoutLateRefusals(facts: readonly Fact[], why: string): Fact[] {
  return leftUndecided(facts, isOfRefusal, `afterwards ${why}, so the reason for the refusal is unclear`);
}

function leftUndecided(facts: readonly Fact[], isDoubtful: (fact: Fact) => boolean, tried: string): Fact[] {
  return facts.map((fact) => (isDoubtful(fact) ? { ...fact, answer: UNDECIDED, tried } : fact));
}
