import type { Exchange } from './exchange.ts';
import type { CallSite } from './verdict/expectation-error.ts';

/** A note about a response. drift: differs from the observed one · new: a field that was never observed. */
export interface Note {
  readonly kind: 'drift' | 'new';
  /** One line, with the operation. */
  readonly text: string;
}

/** Gets every call: Allure steps in one runner, timings in the other. */
export interface Observer {
  /** Runs a judgement as a step: `title` has operation and expectation, `site` the stack of the spec's line. */
  step<T>(title: string, site: CallSite, judgement: () => Promise<T>): Promise<T>;
  exchanged(exchange: Exchange): Promise<void> | void;
  /** Attaches a text to the scenario, if there is a report. */
  attach?(name: string, text: string): Promise<void> | void;
  noted?(note: Note): void;
}

export const silent: Observer = {
  step: (_title, _site, judgement) => judgement(),
  exchanged: () => {},
};
