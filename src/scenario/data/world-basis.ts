import { areaClient, type Call, type Session } from '../../call/index.ts';
import type { Environment } from '../../environment/index.ts';
import type { Log } from '../../safety/index.ts';
import { type CallableId, callable } from '../../service/index.ts';
import type { Observer } from '../../verdict/index.ts';
import type { RunFacts } from '../facts/run-facts.ts';
import type { Tagged } from '../specs/tags.ts';
import type { InventedData } from './test-data.ts';
import type { Actor, Provisioner, Users } from './users.ts';

/** Facts about a scenario that safety needs before its body begins. */
export interface FixtureUse {
  /** Changes are made as this user too, whose known start is restored like the caller's. */
  readonly actsAs?: Actor;
  /** Its scenario overwrites something else than the profile. If it updates a profile after all, the profile is read then. */
  readonly changesNoProfile?: true;
}

/** The world of a scenario, as fixtures and the rooms of src use it. */
export interface WorldBasis {
  readonly environment: Environment;
  readonly observer: Observer;
  readonly seed: number;
  readonly data: InventedData;
  /** The known answers to what the specification leaves open. */
  readonly facts: RunFacts;
  /** The operations that accepted a documented request in this scenario, so far. */
  readonly acceptedOperations: ReadonlySet<CallableId>;
  readonly defer: Deferred['defer'];
  /** `observer` gets this session's calls instead of the world's observer. @throws Skipped if the actor can't sign in. */
  session(as?: Actor, observer?: Observer): Promise<Session>;
  /** The operations by id, in a session of an actor. @throws Skipped if the actor can't sign in. */
  call(as?: Actor): Promise<CallByName>;
  /** The caller's session for requests of the suite that the spec doesn't know of: ALLOWED_EFFECTS limits them, the spec's tags don't. */
  ownSession(): Promise<Session>;
  /** A fresh user's session with a provisioner, otherwise the caller's. */
  freshSession(): Promise<Session>;
  readonly runId: string;
  /** Brings users of the environment to a known start, before what has this effect on an area. */
  begin(of: Tagged & FixtureUse): Promise<void>;
  /** Calls `make` once for this scenario and `key`. */
  once<T>(key: unknown, make: () => T): T;
  /** Another world of the same scenario, with fresh users if possible, and separate clean-up. */
  another(): WorldBasis;
  close(options: { readonly verify: 'everything' | 'nothing' }): Promise<readonly { readonly error: unknown }[]>;
  runLog<T>(kind: string): Log<T>;
  users(): Promise<Users>;
  provisioner(): Promise<Provisioner | undefined>;
}

/** Clean-up, declared by a scenario on the line after the change. */
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
