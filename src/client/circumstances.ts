import type { Operation } from '../spec/index.ts';
import type { Exchange } from './exchange.ts';

/** What is known beside an exchange when an expectation on it breaks. */
export interface Circumstances {
  /** Who else than the service may be why valid arguments were refused, to go behind what was observed. */
  suspects(operation: Operation, args: unknown): string | undefined;
  /** Why the service can't be blamed: another scenario left something undone. `undefined` when it can. */
  doubt(exchange: Exchange): string | undefined;
}
