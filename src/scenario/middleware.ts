import { credentialGuard, type Gate, pacing } from '../client/index.ts';
import { restoring } from '../client/middleware/restore-profile.ts';
import { journalling } from '../client/middleware/undo-journal.ts';
import type { Environment } from '../config/index.ts';
import { assertConsent } from './consent/consent.ts';
import type { Deferred } from './defer.ts';
import { Journal } from './journal/journal.ts';
import { refusalFiles } from './refusal-store.ts';

/** What all scenarios that this process runs in an environment have in common. */
interface Shared {
  readonly journal: Journal;
  readonly pace: Gate;
}

const shared = new WeakMap<Environment, Shared>();

/** What stands between one scenario and the socket. */
export interface ScenarioGates {
  /** Outermost first. */
  readonly gates: readonly Gate[];
  /** The scenario is over, clean-up included. */
  leave(): void;
}

/** The gates of one scenario's requests; pace and journal are one for all scenarios of the process. */
export function scenarioGates(environment: Environment, runId: string, defer: Deferred['defer']): ScenarioGates {
  const { journal, pace } = sharedOf(environment, runId);
  const by = {};
  const scope = { environment, journal, by, defer };
  const guard = credentialGuard(refusalFiles(runId, environment.name));
  return { gates: [restoring(scope), guard, journalling(scope), pace], leave: () => journal.leave(by) };
}

/** @throws ConfigurationError when nobody agreed to runs against the environment. */
function sharedOf(environment: Environment, runId: string): Shared {
  const known = shared.get(environment);
  if (known) return known;
  assertConsent(environment);
  const made = {
    journal: new Journal(environment.name, runId),
    pace: environment.pace ? pacing(environment.pace) : pacing({ retryAfterLimitMs: 0 }),
  };
  shared.set(environment, made);
  return made;
}
