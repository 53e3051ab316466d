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
  DriftLog,
  Ledger,
  type Observer,
  Redactor,
  runMarks,
  Secret,
  Session,
  type Surroundings,
} from '../client/index.ts';
import type { Environment } from '../environments/index.ts';
import { attempts } from './attempt.ts';
import { callByName } from './call-by-name.ts';
import { Contexts } from './contexts.ts';
import { Data } from './data.ts';
import { Deferred } from './defer.ts';
import { type ScenarioGates, scenarioGates } from './gates/index.ts';
import { Provisioner } from './provision.ts';
import { sampleArguments } from './sample-arguments.ts';
import { Skipped } from './skip.ts';
import { runWalk, type Walk } from './stateful/index.ts';
import { type ClaimedItem, claimItem } from './stored-items.ts';
import { untilStopped } from './until-stopped.ts';

export interface WorldOptions {
  readonly environment: Environment;
  readonly observer: Observer;
  /** Seed of this scenario's data. */
  readonly seed: number;
  readonly runId: string;
  readonly signal?: AbortSignal;
  /** Shared with other scenarios, whose connections it then rides; somebody else disposes of them. */
  readonly contexts?: Contexts;
}

interface Users {
  readonly caller: Caller;
  readonly friend: { readonly userId: string; readonly accessToken?: Secret };
  readonly stranger: { readonly userId: string; readonly accessToken?: Secret };
}

const actors = {
  friend: 'a second user: FRIEND_USER_ID and FRIEND_ACCESS_TOKEN, or PROVISION_URL',
  stranger: 'a third user who can sign in: PROVISION_URL',
};

/** Who can sign in. */
export type Actor = 'caller' | keyof typeof actors;

/**
 * Everything that one scenario may ask for, made when it is first asked for; the same under both hosts.
 * Each value throws `Skipped` where the environment lacks what it is made of.
 */
export class World {
  readonly environment: Environment;
  readonly observer: Observer;
  readonly seed: number;
  readonly redactor: Redactor;
  readonly data: Data;
  readonly #ledger = new Ledger();
  readonly #drift: DriftLog;
  readonly #deferred = new Deferred();
  readonly #gates: ScenarioGates;
  readonly #runId: string;
  readonly #marks: Surroundings['marks'];
  readonly #contexts: Contexts;
  readonly #ownContexts: boolean;
  readonly #values = new Map<keyof Factories, unknown>();
  #signal: AbortSignal | undefined;
  #users: Promise<Users> | undefined;

  constructor({ environment, observer, seed, runId, signal, contexts }: WorldOptions) {
    this.environment = environment;
    this.observer = observer;
    this.seed = seed;
    this.redactor = new Redactor(environment.secrets);
    this.data = new Data(seed);
    this.#contexts = contexts ?? new Contexts();
    this.#ownContexts = contexts === undefined;
    this.#drift = new DriftLog(environment, observer);
    this.#signal = signal;
    this.#runId = runId;
    this.#gates = scenarioGates(environment, runId, this.#deferred.defer);
    this.#marks = runMarks(runId, environment.runHeader);
  }

  /** Another world of the same scenario: its own users, where they can be made, and its own clean-up. */
  another(): World {
    const { environment, observer, seed } = this;
    const signal = this.#signal;
    return new World({ environment, observer, seed, runId: this.#runId, ...(signal ? { signal } : {}) });
  }

  /** @throws Skipped */
  async value<K extends keyof Factories>(name: K): Promise<WorldValues[K]> {
    if (!this.#values.has(name)) this.#values.set(name, factories[name](this));
    return (await this.#values.get(name)) as WorldValues[K];
  }

  /**
   * Cleans up what the scenario declared; gives what went wrong: clean-up, unjudged calls, drift. The scenario's own
   * signal may have fired already: clean-up has `signal` instead, and is given up when it fires.
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
    // A drift comes last: a broken promise of the document weighs more.
    if (verify) errors.push(...this.#drift.broken);
    if (this.#ownContexts) await this.#contexts.dispose();
    return errors;
  }

  get defer(): Deferred['defer'] {
    return this.#deferred.defer;
  }

  /** `observer` hears of this session's calls instead of the world's own. */
  async session(as: Actor = 'caller', observer = this.observer): Promise<Session> {
    const surroundings = this.#surroundings(observer);
    const { caller, ...others } = await this.users();
    if (as === 'caller') {
      if (!caller.accessToken) throw new Skipped('needs ACCESS_TOKEN');
      return new Session(surroundings, caller);
    }
    const { userId, accessToken } = others[as];
    if (!accessToken) throw new Skipped(`needs ${actors[as]}`);
    return new Session(surroundings, { ...caller, userId, accessToken }, `the ${as}`);
  }

  #surroundings(observer: Observer): Surroundings {
    const currentSignal = () => this.#signal;
    return {
      target: this.environment,
      redactor: this.redactor,
      ledger: this.#ledger,
      drift: this.#drift,
      observer,
      context: (area) => this.#contexts.of(area),
      marks: this.#marks,
      gates: this.#gates.gates,
      get signal() {
        return currentSignal();
      },
    };
  }

  users(): Promise<Users> {
    this.#users ??= this.#findUsers();
    return this.#users;
  }

  async provisioner(): Promise<Provisioner | undefined> {
    const { provisionUrl, allowedEffects, requestTimeoutMs } = this.environment;
    // Who may only read may not have users made either.
    if (!provisionUrl || !allowedEffects.has('reversible')) return undefined;
    return new Provisioner(await this.#contexts.of('provisioner'), provisionUrl, {
      timeoutMs: requestTimeoutMs,
      marks: this.#marks,
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
}

const client =
  <A extends AreaId>(area: A) =>
  async (world: World) =>
    areaClient(await world.session(), area);

const as = (actor: Actor) => async (world: World) => {
  const session = await world.session(actor);
  return {
    friends: areaClient(session, 'friends'),
    stories: areaClient(session, 'stories'),
    profile: areaClient(session, 'profile'),
  };
};

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
  asFriend: as('friend'),
  /** And as a third one, whom only a provisioner can give. */
  asStranger: as('stranger'),
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
  storedItem: (world: World) => storedItem(world),
  /** One more of them. */
  anotherStoredItem: (world: World) => storedItem(world),
  /** Sends what may be odd and judges how the service copes; what it took is taken back. */
  attempt: async (world: World) => attempts(callByName(await world.session()), world.defer),
  /** Carries out random plans; see suite/stateful. */
  walk:
    (world: World) =>
    <Plan>(walk: Walk<Plan>): Promise<void> =>
      runWalk(world, walk),
  /** As many of a list of tries as REQUEST_BUDGET lets one spec make. */
  within:
    ({ environment }: World) =>
    <T>(tries: readonly T[]): readonly T[] =>
      tries.slice(0, environment.requestBudget),
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

async function storedItem(world: World): Promise<ClaimedItem> {
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
}

function needed<T>(value: T | undefined, key: string): T {
  if (value === undefined) throw new Skipped(`needs ${key}`);
  return value;
}
