import { type APIRequestContext, request } from '@playwright/test';
import {
  type AreaId,
  areaIds,
  type CallableId,
  type Operation,
  type OperationId,
  readProfile,
} from '../catalogue/index.ts';
import {
  type AreaClient,
  areaClient,
  type Caller,
  Ledger,
  type Observer,
  Redactor,
  runMarks,
  Secret,
  Session,
  type Surroundings,
} from '../client/index.ts';
import type { Environment } from '../environments/index.ts';
import { callByName } from './call-by-name.ts';
import { Data } from './data.ts';
import { Deferred } from './defer.ts';
import { type ScenarioGates, scenarioGates } from './gates/index.ts';
import { Provisioner } from './provision.ts';
import { sampleArguments } from './sample-arguments.ts';
import { Skipped } from './skip.ts';
import { claimItem } from './stored-items.ts';
import { untilStopped } from './until-stopped.ts';

export interface WorldOptions {
  readonly environment: Environment;
  readonly observer: Observer;
  /** Seed of this scenario's data. */
  readonly seed: number;
  readonly runId: string;
  readonly signal?: AbortSignal;
}

interface Users {
  readonly caller: Caller;
  readonly friend: { readonly userId: string; readonly accessToken?: Secret };
  readonly stranger: { readonly userId: string };
}

/**
 * Everything that one scenario may ask for, made when it is first asked for; the same under both hosts.
 * Each value throws `Skipped` where the environment lacks what it is made of.
 */
export class World {
  readonly environment: Environment;
  readonly redactor: Redactor;
  readonly data: Data;
  readonly #ledger = new Ledger();
  readonly #deferred = new Deferred();
  readonly #gates: ScenarioGates;
  readonly #surroundings: Surroundings;
  readonly #contexts = new Map<string, Promise<APIRequestContext>>();
  readonly #values = new Map<keyof Factories, unknown>();
  #signal: AbortSignal | undefined;
  #users: Promise<Users> | undefined;

  constructor({ environment, observer, seed, runId, signal }: WorldOptions) {
    this.environment = environment;
    this.redactor = new Redactor(environment.secrets);
    this.data = new Data(seed);
    this.#signal = signal;
    const currentSignal = () => this.#signal;
    this.#gates = scenarioGates(environment, runId, this.#deferred.defer);
    this.#surroundings = {
      target: environment,
      redactor: this.redactor,
      ledger: this.#ledger,
      observer,
      context: (area) => this.#context(area),
      marks: runMarks(runId, environment.runHeader),
      gates: this.#gates.gates,
      get signal() {
        return currentSignal();
      },
    };
  }

  /** @throws Skipped */
  async value<K extends keyof Factories>(name: K): Promise<WorldValues[K]> {
    if (!this.#values.has(name)) this.#values.set(name, factories[name](this));
    return (await this.#values.get(name)) as WorldValues[K];
  }

  /**
   * Cleans up what the scenario declared; gives what went wrong, unjudged calls last. The scenario's own signal may have
   * fired already: clean-up has `signal` instead, and is given up when it fires.
   */
  async close({ verify, signal }: { readonly verify: boolean; readonly signal?: AbortSignal }): Promise<unknown[]> {
    this.#signal = signal;
    const errors = await untilStopped(this.#deferred.run(), signal).catch((error: unknown) => [error]);
    this.#gates.leave();
    try {
      if (verify) this.#ledger.verify();
    } catch (error) {
      errors.push(error);
    }
    for (const context of this.#contexts.values()) await (await context).dispose();
    return errors;
  }

  get defer(): Deferred['defer'] {
    return this.#deferred.defer;
  }

  async session(as: 'caller' | 'friend' = 'caller'): Promise<Session> {
    const { caller, friend } = await this.users();
    if (as === 'caller') {
      if (!caller.accessToken) throw new Skipped('needs ACCESS_TOKEN');
      return new Session(this.#surroundings, caller);
    }
    if (!friend.accessToken)
      throw new Skipped('needs a second user: FRIEND_USER_ID and FRIEND_ACCESS_TOKEN, or PROVISION_URL');
    return new Session(
      this.#surroundings,
      { ...caller, userId: friend.userId, accessToken: friend.accessToken },
      'the friend',
    );
  }

  users(): Promise<Users> {
    this.#users ??= this.#findUsers();
    return this.#users;
  }

  async provisioner(): Promise<Provisioner | undefined> {
    const { provisionUrl, allowedEffects, requestTimeoutMs } = this.environment;
    // Who may only read may not have users made either.
    if (!provisionUrl || !allowedEffects.has('reversible')) return undefined;
    return new Provisioner(await this.#context('provisioner'), provisionUrl, {
      timeoutMs: requestTimeoutMs,
      marks: this.#surroundings.marks,
    });
  }

  async #findUsers(): Promise<Users> {
    const { caller, friend } = this.environment;
    const provisioner = await this.provisioner();
    if (!provisioner) {
      const userId = friend.userId ?? this.data.id();
      return { caller, friend: { ...friend, userId }, stranger: { userId: this.data.id() } };
    }
    const [first, second, third] = (await provisioner.users(3)).map(({ userId, accessToken }) => ({
      userId,
      accessToken: new Secret(accessToken),
    }));
    if (!first || !second || !third) throw new Error('unreachable: the provisioner was checked to give three users');
    this.redactor.add(first.accessToken, second.accessToken, third.accessToken);
    return { caller: { ...caller, ...first }, friend: second, stranger: third };
  }

  #context(key: AreaId | 'provisioner'): Promise<APIRequestContext> {
    // An explicit header map: inside the runner a context without one takes over the project's headers.
    const context = this.#contexts.get(key) ?? request.newContext({ extraHTTPHeaders: {} });
    this.#contexts.set(key, context);
    return context;
  }
}

const client =
  <A extends AreaId>(area: A) =>
  async (world: World) =>
    areaClient(await world.session(), area);

/** One client per base address, by the area's name. */
const clients = Object.fromEntries(areaIds.map((area) => [area, client(area)])) as {
  readonly [A in AreaId]: (world: World) => Promise<AreaClient<A>>;
};

/** What a spec can ask for by name. */
const factories = {
  environment: (world: World) => world.environment,
  data: (world: World) => world.data,
  defer: (world: World) => world.defer,

  ...clients,

  /** The same areas as the second user. */
  asFriend: async (world: World) => {
    const session = await world.session('friend');
    return {
      friends: areaClient(session, 'friends'),
      stories: areaClient(session, 'stories'),
      profile: areaClient(session, 'profile'),
    };
  },
  /** Any operation by its catalogue name, for specs that are generated from it. */
  call: async (world: World) => callByName(await world.session()),
  /** Declares the undo of an operation that may have been carried out although it should not have been. */
  takeBack: async (world: World) => {
    const call = callByName(await world.session());
    return ({ undo }: Operation, args: unknown) => {
      if (undo) world.defer(() => call(undo as CallableId, args).settles());
    };
  },
  /** Valid arguments of any operation, by its catalogue name. */
  sample: (world: World) => (id: OperationId) => sampleArguments(world, id),

  caller: async (world: World) => ({ id: (await world.users()).caller.userId }),
  friend: async (world: World) => ({ id: (await world.users()).friend.userId }),
  /** A third user; invented where nobody can provision one. */
  stranger: async (world: World) => ({ id: (await world.users()).stranger.userId }),

  story: (world: World) => ({ id: needed(world.environment.data.storyId, 'STORY_ID') }),
  language: (world: World) => needed(world.environment.data.reportLanguage, 'REPORT_LANGUAGE'),
  flagKey: (world: World) => needed(world.environment.data.flagKey, 'FLAG_KEY'),
  typeSource: ({ environment: { data } }: World) => ({
    FromClientId: needed(data.fromClientId, 'FROM_CLIENT_ID'),
    TypeName: needed(data.typeName, 'TYPE_NAME'),
    versionStart: needed(data.typeVersion, 'TYPE_VERSION'),
  }),
  /** A stored item that may be deleted, once. */
  storedItem: async (world: World) => {
    const provisioner = await world.provisioner();
    if (provisioner) {
      const [id] = await provisioner.items((await world.users()).caller.userId, 1);
      return { id: id as string, release: () => {} };
    }
    const { name, data } = world.environment;
    const claimed = claimItem(name, data.storedItemIds);
    if (!claimed)
      throw new Skipped(
        `needs an item that may be deleted: every id of STORED_ITEM_IDS was used (${data.storedItemIds.length} given), and there is no PROVISION_URL`,
      );
    return claimed;
  },
  /** Row 12 as the team knows it. */
  canReadProfile: (world: World) => {
    needed(world.environment[readProfile.id], 'FRIEND_PROFILE_REQUEST');
    return true as const;
  },
} satisfies Record<string, (world: World) => unknown>;

type Factories = typeof factories;

/** What a scenario's body is given, by name. */
export type WorldValues = { readonly [K in keyof Factories]: Awaited<ReturnType<Factories[K]>> };

export const valueNames = Object.keys(factories) as (keyof WorldValues)[];

function needed<T>(value: T | undefined, key: string): T {
  if (value === undefined) throw new Skipped(`needs ${key}`);
  return value;
}
