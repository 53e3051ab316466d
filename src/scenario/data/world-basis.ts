import { areaClient, type Call, type Session } from '../../call/index.ts';
import type { Environment } from '../../environment/index.ts';
import type { Log } from '../../safety/index.ts';
import { type CallableId, callable } from '../../service/index.ts';
import type { Observer } from '../../verdict/index.ts';
import type { RunFacts } from '../facts/run-facts.ts';
import type { Tagged } from '../specs/tags.ts';
import type { InventedData } from './test-data.ts';
import type { Actor, Provisioner, Users } from './users.ts';

/** Properties of a scenario that `src/safety/` needs to know before the body begins. */
export interface FixtureUse {
  /** The scenario makes changes as this user, too, so this user also gets a known start. */
  readonly actsAs?: Actor;
  /**
   * The scenario overwrites something other than the profile, so the profile isn't read in advance. If the scenario updates the profile
   * nevertheless, the profile is read right before the update.
   */
  readonly changesNoProfile?: true;
  /** The scenario reads data of another user. The service may hide that data while one of the two has blocked the other. */
  readonly meetsOthers?: true;
}

/** The world of a scenario, as fixtures and code outside `src/scenario/` see it. */
export interface WorldBasis {
  readonly environment: Environment;
  readonly observer: Observer;
  readonly seed: number;
  readonly data: InventedData;
  /** The known answers to questions that the specification leaves open. */
  readonly facts: RunFacts;
  /** The operations that have accepted a request in this scenario, sent as the specification shows it. */
  readonly acceptedOperations: ReadonlySet<CallableId>;
  readonly defer: Deferred['defer'];
  /** A session of an actor. `observer` gets its calls, by default the world's observer. @throws Skipped if the actor can't sign in. */
  session(as?: Actor, observer?: Observer): Promise<Session>;
  /** A function that calls operations by id, in a session of an actor. @throws Skipped if the actor can't sign in. */
  call(as?: Actor): Promise<CallByName>;
  /** The caller's session for requests that the suite sends on its own account: ALLOWED_EFFECTS limits them, the spec's tags don't. */
  ownSession(): Promise<Session>;
  /** With a provisioner, the session of a fresh user; otherwise the caller's session. */
  freshSession(): Promise<Session>;
  readonly runId: string;
  /** Brings the environment's users to a known start. Called before requests with the area and the effect that `of` gives. */
  begin(of: Tagged & FixtureUse): Promise<void>;
  /** Calls `make` once per scenario and `key`; later calls return the same value. */
  once<T>(key: unknown, make: () => T): T;
  /** Another world of the same scenario, with fresh users if possible, and separate clean-up. */
  another(): WorldBasis;
  close(options: { readonly verify: 'everything' | 'nothing' }): Promise<readonly { readonly error: unknown }[]>;
  runLog<T>(kind: string): Log<T>;
  users(): Promise<Users>;
  provisioner(): Promise<Provisioner | undefined>;
}

/** The clean-up tasks of a scenario. A spec declares each on the line after the change. */
export class Deferred {
  readonly #tasks: (() => unknown)[] = [];

  readonly defer = (task: () => unknown): void => {
    this.#tasks.push(task);
  };

  /** Runs every task, last declared first, even if others fail; returns their errors. */
  async run(): Promise<unknown[]> {
    const errors: unknown[] = [];
    for (let task = this.#tasks.pop(); task; task = this.#tasks.pop()) {
      try {
        await task();
      } catch (error) {
        errors.push(error);
      }
    }
    return errors;
  }
}

/** Calls an operation by id; `args` are its body or its path parameters. */
export type CallByName = (operation: CallableId, args: unknown) => Call;

export function callByName(session: Session): CallByName {
  return (id, args) => {
    const client = areaClient(session, callable(id).area) as Readonly<Record<string, (args: unknown) => Call>>;
    return (client[id] as (args: unknown) => Call)(args);
  };
}
