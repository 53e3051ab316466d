import type { Exchange } from '../http/index.ts';
import { type CallSite, ExpectationError } from './expectation-error.ts';
import type { Drift } from './failure.ts';
import { excerpt } from './failure-message.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

/**
 * A remark about a scenario. drift: a response differs from the observed responses · new: a field that no survey saw · found: the answer to
 * an open question that the scenario itself found · unlisted: an error that the team's OpenAPI document doesn't list · sent: a request that
 * this document forbids · start: a change that had to be undone before the scenario could begin.
 */
export interface Note {
  readonly kind: 'drift' | 'new' | 'found' | 'unlisted' | 'sent' | 'start';
  /** One line. It names the operation or the question. */
  readonly text: string;
  /** Set for kind `drift`. */
  readonly drift?: Drift;
}

/**
 * A step of a scenario that its spec doesn't ask for: the suite clears and reads state before the body, repeats calls
 * inside it, and restores state after it.
 */
export interface ScenarioStep {
  readonly at: 'start' | 'body' | 'end';
  readonly what: string;
}

/** Receives every call of a scenario. The Playwright runner makes Allure steps of the calls; the in-process runner records their times. */
export interface Observer {
  /** Runs a judgement as a step: `title` names operation and expectation, `site` returns the stack of the spec's line. */
  step<T>(title: string, site: CallSite, judgement: () => Promise<T>): Promise<T>;
  exchanged(exchange: Exchange): Promise<void> | void;
  /** Receives a call of a model test's random plan. The call counts as a request of the run, but not as a step of its scenario. */
  planned?(exchange: Exchange): void;
  /** Attaches a text to the scenario, if there is a report. */
  attach?(name: string, text: string): Promise<void> | void;
  noted?(note: Note): void;
  stepped?(step: ScenarioStep): void;
}

export const silent: Observer = {
  step: (_title, _site, judgement) => judgement(),
  exchanged: () => {},
};

/** The differences between a response and its schema, one line each. */
export interface Differences {
  /** Differences that may break a consumer. */
  readonly broken: readonly string[];
  /** Differences that are only noted, because they break no consumer. */
  readonly noted: readonly string[];
}

export const noDifference: Differences = { broken: [], noted: [] };

/**
 * Violations outside the specification (contract, drift) in one scenario, without duplicates. They don't end the scenario, because a
 * violation of the specification may still follow, and is more severe.
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

  get broken(): readonly ExpectationError[] {
    return this.#broken;
  }

  /** Passes a note on to the observer, unless it is a duplicate. Returns whether the note is new. */
  protected note(kind: Note['kind'], words: string, drift?: Drift): boolean {
    // Field names come from the service, so a terminal must not interpret them.
    const text = excerpt(words, 600);
    if (!this.isNew(text)) return false;
    this.#observer.noted?.({ kind, text, ...(drift ? { drift } : {}) });
    return true;
  }

  protected isNew(text: string): boolean {
    const { size } = this.#known;
    return this.#known.add(text).size > size;
  }

  protected add(exchange: Exchange, broken: ConstructorParameters<typeof ExpectationError>[1], site: CallSite): void {
    this.#broken.push(new ExpectationError(exchange, broken).at(site));
  }
}
