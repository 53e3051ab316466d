import type { Exchange } from './exchange.ts';

/** Hears of every call: Allure steps in one host, timings in the other. */
export interface Observer {
  /** Runs a judgement as a step: `title` names operation and expectation, `site` is the stack of the spec's line. */
  step<T>(title: string, site: string, judgement: () => Promise<T>): Promise<T>;
  exchanged(exchange: Exchange): Promise<void> | void;
  /** Keeps a text with the scenario, where there is a report to keep it in. */
  attach?(name: string, text: string): Promise<void> | void;
}

export const silent: Observer = {
  step: (_title, _site, judgement) => judgement(),
  exchanged: () => {},
};
