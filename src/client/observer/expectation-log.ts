import type { Exchange } from '../http/exchange.ts';
import type { ServiceUnderTest } from '../target/target.ts';
import { type CallSite, ExpectationError } from '../verdict/expectation-error.ts';
import { excerpt } from '../verdict/failure-message.ts';
import type { Note, Observer } from './observer.ts';

/**
 * What the exchanges of one scenario broke beside the specification, each once. That doesn't end the scenario: violations of the
 * specification are more severe and are still looked for.
 */
export abstract class ExpectationLog {
  protected readonly target: ServiceUnderTest;
  readonly #observer: Observer;
  readonly #known = new Set<string>();
  readonly #broken: ExpectationError[] = [];

  constructor(target: ServiceUnderTest, observer: Observer) {
    this.target = target;
    this.#observer = observer;
  }

  /** The broken expectations, oldest first. */
  get broken(): readonly ExpectationError[] {
    return this.#broken;
  }

  /** Passes a note on; whether it is new. */
  protected note(kind: Note['kind'], words: string): boolean {
    // Field names come from the service, so a terminal must not interpret them.
    const text = excerpt(words, 600);
    if (!this.isNew(text)) return false;
    this.#observer.noted?.({ kind, text });
    return true;
  }

  /** Remembers a text; whether it is new. */
  protected isNew(text: string): boolean {
    const { size } = this.#known;
    return this.#known.add(text).size > size;
  }

  protected add(exchange: Exchange, broken: ConstructorParameters<typeof ExpectationError>[1], site: CallSite): void {
    this.#broken.push(new ExpectationError(exchange, broken).at(site));
  }
}
