import type { Observer, Session } from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import type { Deferred } from './defer.ts';
import type { Provisioner } from './provisioner.ts';
import type { Readings } from './readings/readings.ts';
import type { RunLog } from './run-log.ts';
import type { InventedData } from './test-data.ts';
import type { Actor, Users } from './users.ts';

/** What the values that a scenario asks for are made of. */
export interface WorldBasis {
  readonly environment: Environment;
  readonly observer: Observer;
  /** Seed of this scenario's data. */
  readonly seed: number;
  readonly data: InventedData;
  /** What is known of the questions that the specification leaves open. */
  readonly readings: Readings;
  readonly defer: Deferred['defer'];
  /** `observer` hears of this session's calls instead of the world's own. @throws Skipped when the actor can't sign in. */
  session(as?: Actor, observer?: Observer): Promise<Session>;
  /** What the processes of this run let each other know, by kind. */
  runLog<T>(kind: string): RunLog<T>;
  users(): Promise<Users>;
  provisioner(): Promise<Provisioner | undefined>;
}
