import type { Environment } from '../config/index.ts';
import type { ProbeResult } from './probe/run-probe.ts';

/** A run that is to be written down. */
export interface FinishedRun {
  readonly environment: Environment;
  readonly observed: ProbeResult;
  /** Epoch, in ms. */
  readonly planned: number;
  readonly intervalMs: number;
  /** When it was finished; epoch, in ms. */
  readonly at: number;
}
