import {
  correlationHeaders,
  DriftLog,
  Ledger,
  type Observer,
  Redactor,
  Session,
  type SessionContext,
} from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import { Deferred } from './defer.ts';
import { type ScenarioMiddleware, scenarioMiddleware } from './middleware.ts';
import type { PlanWorld } from './model-based/index.ts';
import { Provisioner } from './provisioner.ts';
import { InventedData } from './test-data.ts';
import { nodeTransports, type Transports } from './transports.ts';
import { untilStopped } from './until-stopped.ts';
import { type Actor, findUsers, signIn, type Users } from './users.ts';
import { factories, type WorldValues } from './world-values.ts';

export interface WorldOptions {
  readonly environment: Environment;
  readonly observer: Observer;
  /** Seed of this scenario's data. */
  readonly seed: number;
  readonly runId: string;
  readonly signal?: AbortSignal;
  /** Shared with other scenarios, whose connections it then rides; somebody else disposes of them. */
  readonly transports?: Transports;
}

/**
 * Everything that one scenario may ask for, made when it is first asked for; the same under both hosts.
 * Each value throws `Skipped` where the environment lacks what it is made of.
 */
export class World implements PlanWorld {
  readonly environment: Environment;
  readonly observer: Observer;
  readonly seed: number;
  readonly redactor: Redactor;
  readonly data: InventedData;
  readonly #ledger = new Ledger();
  readonly #drift: DriftLog;
  readonly #deferred = new Deferred();
  readonly #middleware: ScenarioMiddleware;
  readonly #runId: string;
  readonly #correlation: SessionContext['correlation'];
  readonly #transports: Transports;
  readonly #ownsTransports: boolean;
  readonly #values = new Map<keyof WorldValues, unknown>();
  #signal: AbortSignal | undefined;
  #users: Promise<Users> | undefined;

  constructor({ environment, observer, seed, runId, signal, transports }: WorldOptions) {
    this.environment = environment;
    this.observer = observer;
    this.seed = seed;
    this.redactor = new Redactor(environment.secrets);
    this.data = new InventedData(seed);
    this.#transports = transports ?? nodeTransports();
    this.#ownsTransports = transports === undefined;
    this.#drift = new DriftLog(environment, observer);
    this.#signal = signal;
    this.#runId = runId;
    this.#middleware = scenarioMiddleware(environment, runId, this.#deferred.defer);
    this.#correlation = correlationHeaders(runId, environment.runHeader);
  }

  /** Another world of the same scenario: its own users, where they can be made, and its own clean-up. */
  another(): World {
    const { environment, observer, seed } = this;
    const signal = this.#signal ? { signal: this.#signal } : {};
    return new World({ environment, observer, seed, runId: this.#runId, transports: this.#transports, ...signal });
  }

  /** @throws Skipped */
  async value<K extends keyof WorldValues>(name: K): Promise<WorldValues[K]> {
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
    this.#middleware.leave();
    try {
      if (verify) this.#ledger.verify();
    } catch (error) {
      errors.push(error);
    }
    // A drift comes last: a broken promise of the document weighs more.
    if (verify) errors.push(...this.#drift.broken);
    if (this.#ownsTransports) await this.#transports.dispose();
    return errors;
  }

  get defer(): Deferred['defer'] {
    return this.#deferred.defer;
  }

  /** `observer` hears of this session's calls instead of the world's own. */
  async session(as: Actor = 'caller', observer = this.observer): Promise<Session> {
    const { caller, name } = signIn(await this.users(), as);
    return new Session(this.#context(observer), caller, name);
  }

  #context(observer: Observer): SessionContext {
    const currentSignal = () => this.#signal;
    return {
      target: this.environment,
      redactor: this.redactor,
      ledger: this.#ledger,
      drift: this.#drift,
      observer,
      transport: (area) => this.#transports.of(area),
      correlation: this.#correlation,
      middleware: this.#middleware.middleware,
      get signal() {
        return currentSignal();
      },
    };
  }

  users(): Promise<Users> {
    this.#users ??= this.provisioner().then((helper) => findUsers(this.environment, helper, this.data, this.redactor));
    return this.#users;
  }

  async provisioner(): Promise<Provisioner | undefined> {
    const { provisionUrl, allowedEffects, requestTimeoutMs } = this.environment;
    // Who may only read may not have users made either.
    if (!provisionUrl || !allowedEffects.has('reversible')) return undefined;
    return new Provisioner(await this.#transports.of('provisioner'), provisionUrl, {
      timeoutMs: requestTimeoutMs,
      correlation: this.#correlation,
    });
  }
}
