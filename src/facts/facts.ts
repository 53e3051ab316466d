/** An answer to what the specification leaves open about an operation of one environment, with its evidence. */
export interface Fact {
  readonly question: string;
  readonly operation: string;
  readonly answer: string;
  /** The requests that showed it, in words: no secrets, ids or addresses. */
  readonly evidence: string;
  /**
   * The day, `2026-11-27`.
   * @format date
   */
  readonly askedAt: string;
}

/** A file of facts: what is known of one environment, one line for each fact. */
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

  /** The same with more facts, each of which replaces the earlier answer to its question. */
  with(more: Iterable<Fact>): Facts {
    return new Facts([...this, ...more]);
  }

  get size(): number {
    return this.#facts.size;
  }

  /** By operation, then by question. */
  [Symbol.iterator](): Iterator<Fact> {
    return [...this.#facts.values()].sort(inOrder)[Symbol.iterator]();
  }
}

function keyOf(question: string, operation: string): string {
  return `${operation} ${question}`;
}

/** By code point, so that every machine sorts alike. */
function inOrder(a: Fact, b: Fact): number {
  const [one, other] = [keyOf(a.question, a.operation), keyOf(b.question, b.operation)];
  return one < other ? -1 : Number(one > other);
}
