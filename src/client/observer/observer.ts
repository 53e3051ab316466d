import type { Exchange } from '../http/exchange.ts';
import type { CallSite } from '../verdict/expectation-error.ts';

/**
 * Something that is worth a word. drift: not as observed · new: a field that no survey saw · found: which reading of an open
 * question is the case here · unlisted: an error that the team's OpenAPI document doesn't list · sent: a request that it forbids ·
 * start: something that had to be undone before the scenario could begin.
 */
export interface Note {
  readonly kind: 'drift' | 'new' | 'found' | 'unlisted' | 'sent' | 'start';
  /** One line that names the operation, or the question. */
  readonly text: string;
}

/** Hears of every call: Allure steps in one host, timings in the other. */
export interface Observer {
  /** Runs a judgement as a step: `title` names operation and expectation, `site` returns the stack of the spec's line. */
  step<T>(title: string, site: CallSite, judgement: () => Promise<T>): Promise<T>;
  exchanged(exchange: Exchange): Promise<void> | void;
  /** Keeps a text with the scenario, where there is a report to keep it in. */
  attach?(name: string, text: string): Promise<void> | void;
  noted?(note: Note): void;
}

export const silent: Observer = {
  step: (_title, _site, judgement) => judgement(),
  exchanged: () => {},
};
