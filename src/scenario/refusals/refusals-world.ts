import type { ApiResponse, CallSite } from '../../client/index.ts';
import type { CallByName } from '../data/call-by-name.ts';
import type { WorldWithData } from '../data/data-values.ts';
import type { RunLog } from '../state/run-log.ts';
import type { HeaderChange } from './header-change.ts';

/** A control that was accepted: which operation's, and what it cost for good. */
export interface Control {
  readonly operation: string;
  /** The used-up resource, with its article: `a stored item`. */
  readonly spent?: string;
  /** The very same request was accepted again. */
  readonly repeats?: true;
}

/** The outcome of a changed header, next to an accepted control. */
export interface HeaderOutcome extends Pick<HeaderChange, 'header' | 'way'> {
  readonly operation: string;
  readonly outcome: 'refused' | 'accepted';
}

/** The tools to show that a refusal proves something. */
export interface RefusalsWorld {
  readonly world: WorldWithData;
  readonly call: CallByName;
  readonly controls: RunLog<Control>;
  readonly outcomes: RunLog<HeaderOutcome>;
  /** The spec's line. */
  readonly site: CallSite;
}

/** Sends what must be refused; gives the refusal. @throws when it was accepted. */
export type Refused = (args: unknown) => Promise<ApiResponse>;
