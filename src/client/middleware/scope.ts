import type { Environment } from '../../config/index.ts';
import type { Deferred } from '../../scenario/defer.ts';
import type { Journal } from '../../scenario/journal/journal.ts';
import type { Caller } from '../index.ts';

/** The scenario that a middleware belongs to. */
export interface Scope {
  readonly environment: Environment;
  readonly journal: Journal;
  /** Stands for the scenario in the journal. */
  readonly by: object;
  readonly defer: Deferred['defer'];
}

/** Which of the environment's own users calls; `undefined` for one that the provisioner made, to be thrown away. */
export function roleOf(caller: Caller, environment: Environment): 'caller' | 'friend' | undefined {
  if (caller.userId === environment.caller.userId) return 'caller';
  return caller.userId === environment.friend.userId ? 'friend' : undefined;
}
