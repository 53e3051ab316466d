/** The answer to an open question about an operation in one environment, with the requests that showed it (`evidence`). */
export interface Fact {
  readonly question: string;
  readonly operation: string;
  readonly answer: string;
  /** The requests that showed the answer, in words, without secrets, ids or addresses. */
  readonly evidence: string;
  /**
   * The day of the answer, e.g. `2026-11-27`.
   * @format date
   */
  readonly askedAt: string;
}

/** A file with the facts of one environment, one line for each fact. */
export interface FactsDocument {
  readonly facts: readonly Fact[];
}

/** The facts of one environment. */
export class Facts implements Iterable<Fact> {
  readonly #facts: ReadonlyMap<string, Fact>;

  constructor(facts: Iterable<Fact> = []) {
    this.#facts = new Map(Array.from(facts, (fact) => [keyOf(fact.question, fact.operation), fact]));
  }

  of(question: string, operation: string): Fact | undefined {
    return this.#facts.get(keyOf(question, operation));
  }

  /** These facts and `more`. Each of `more` replaces an earlier answer to the same question about the same operation. */
  with(more: Iterable<Fact>): Facts {
    return new Facts([...this, ...more]);
  }

  get size(): number {
    return this.#facts.size;
  }

  /** Iterates over the facts by operation, then by question. */
  [Symbol.iterator](): Iterator<Fact> {
    return [...this.#facts.values()].sort(inOrder)[Symbol.iterator]();
  }
}

function keyOf(question: string, operation: string): string {
  return `${operation} ${question}`;
}

/** Compares by character code, because the order by language depends on the machine. */
function inOrder(a: Fact, b: Fact): number {
  const [one, other] = [keyOf(a.question, a.operation), keyOf(b.question, b.operation)];
  return one < other ? -1 : Number(one > other);
}
