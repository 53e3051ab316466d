import type { Operation } from '../../spec/index.ts';
import type { Exchange } from '../http/exchange.ts';
import type { SuiteError } from './category.ts';

/** Known circumstances of an exchange with a broken expectation. */
export interface Circumstances {
  /** Possible other causes of a rejection of valid arguments, appended to the observation. */
  suspects(operation: Operation, args: unknown): string | undefined;
  /** Why the refusal of valid arguments proves nothing: the suite made them up. `undefined` when it fails the service. */
  open(operation: Operation, args: unknown, refused: readonly Exchange[]): SuiteError | undefined;
  /** The error of a repeated request that is accepted now and was always refused here. */
  repeated(exchange: Exchange): SuiteError | undefined;
  /** Why the state of an id can't be blamed on the service: another scenario left something undone. `undefined` when it can. */
  leftBehind(exchange: Exchange, id: unknown): string | undefined;
  /** Why a refusal can't be blamed on the service: the team's own document forbids the request. */
  forbidden(exchange: Exchange): string | undefined;
}
