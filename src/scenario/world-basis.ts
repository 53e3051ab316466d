import type { Observer, Session } from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import type { Deferred } from './defer.ts';
import type { Provisioner } from './provisioner.ts';
import type { InventedData } from './test-data.ts';
import type { Actor, Users } from './users.ts';

/** What the values that a scenario asks for are made of. */
export interface WorldBasis {
  readonly environment: Environment;
  readonly observer: Observer;
  /** Seed of this scenario's data. */
  readonly seed: number;
  readonly data: InventedData;
  readonly defer: Deferred['defer'];
  /** `observer` hears of this session's calls instead of the world's own. @throws Skipped when the actor can't sign in. */
  session(as?: Actor, observer?: Observer): Promise<Session>;
  users(): Promise<Users>;
  provisioner(): Promise<Provisioner | undefined>;
}
