import type { Operation } from '../spec/index.ts';
import type { Exchange } from './exchange.ts';

/** Known circumstances of an exchange with a broken expectation. */
export interface Circumstances {
  /** Possible other causes of a rejection of valid arguments, appended to the observation. */
  suspects(operation: Operation, args: unknown): string | undefined;
  /** The reason why the failure doesn't count against the service: another scenario left a change behind. */
  doubt(exchange: Exchange): string | undefined;
}
