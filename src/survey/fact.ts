import { curlLine, type Exchange, responseLine } from '../client/index.ts';

/** One exchange that a fact rests on, redacted as every exchange is. */
export interface Evidence {
  readonly curl: string;
  /** null where there was no answer. */
  readonly status: number | null;
  readonly excerpt: string;
}

/** What a survey found of one question about one operation. */
export interface Fact {
  readonly operation: string;
  readonly question: string;
  /** `undecided` where no experiment decided it. */
  readonly answer: string;
  /** What was tried, where it isn't decided. */
  readonly tried?: string;
  /** Exchanges that were looked at. */
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

/** What an experiment decided, and the exchanges that it rests on. */
export interface Finding {
  readonly answer: Fact['answer'];
  readonly seen: readonly Exchange[];
  /** Where it rests on more answers than those. */
  readonly samples?: number;
}

export const UNDECIDED = 'undecided';

/** The experiment doesn't decide the question; says what was tried. */
export class Undecided extends Error {
  override readonly name = 'Undecided';
  readonly seen: readonly Exchange[];

  constructor(tried: string, seen: readonly Exchange[] = []) {
    super(tried);
    this.seen = seen;
  }
}

/** A question that wasn't asked, with the reason. */
export function undecided(operation: string, question: string, tried: string): Fact {
  const observedAt = new Date().toISOString();
  return { operation, question, answer: UNDECIDED, tried, samples: 0, observedAt, evidence: [] };
}

/** The first and the last exchange tell enough. */
export function evidenceOf(seen: readonly Exchange[]): Evidence[] {
  const shown = seen.length <= 2 ? seen : [seen[0] as Exchange, seen.at(-1) as Exchange];
  return shown.map((exchange) => ({
    curl: cut(curlLine(exchange.request), 600),
    status: exchange.response?.status ?? null,
    excerpt: exchange.response
      ? responseLine(exchange.response, 120)
      : `no response: ${exchange.failure?.reason ?? 'unknown'}`,
  }));
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text;
}
