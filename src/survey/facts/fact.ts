import { curlLine, type Exchange, responseLine } from '../../client/index.ts';

/** One exchange as evidence of a fact, redacted like every exchange. */
export interface Evidence {
  readonly curl: string;
  /** null without a response. */
  readonly status: number | null;
  readonly excerpt: string;
}

/** The result of a survey for one question about one operation. */
export interface Fact {
  readonly operation: string;
  readonly question: string;
  /** `undecided` if no experiment decided it. */
  readonly answer: string;
  /** The attempts made, if it isn't decided. */
  readonly tried?: string;
  /** Number of exchanges used. */
  readonly samples: number;
  /** ISO 8601. */
  readonly observedAt: string;
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

/** The decision of an experiment, with its exchanges. */
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

/** A question that was not asked, with the reason. */
export function undecided(operation: string, question: string, tried: string): Fact {
  const observedAt = new Date().toISOString();
  return { operation, question, answer: UNDECIDED, tried, samples: 0, observedAt, evidence: [] };
}

/** The first and the last exchange are enough. */
export function evidenceOf(seen: readonly Exchange[]): Evidence[] {
  const shown = seen.length <= 2 ? seen : [seen[0] as Exchange, seen.at(-1) as Exchange];
  return shown.map((exchange) => ({
    curl: cut(curlLine(exchange.request), 600),
    status: exchange.response?.status ?? null,
    excerpt: exchange.response
      ? responseLine(exchange.response)
      : `no response: ${exchange.failure?.reason ?? 'unknown'}`,
  }));
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text;
}
