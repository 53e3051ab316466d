import type { Environment } from '../../config/index.ts';
import type { RunRecorder } from '../run-recorder.ts';
import type { SelfHealth } from '../self-health.ts';
import type { Observations } from './observations.ts';

/** The sources of all metrics. */
export interface Exposed {
  readonly observations: () => Iterable<Observations>;
  readonly scenarios: () => RunRecorder['scenarios'];
  readonly openIncidents: () => RunRecorder['openIncidents'];
  /** Names of the monitored environments. */
  readonly environments: readonly string[];
  /** Where this monitor runs, as a label of everything; absent: no label. */
  readonly location?: string;
  readonly health: () => SelfHealth;
  /** The environments that were observed. */
  readonly watched: () => Iterable<Environment>;
}
