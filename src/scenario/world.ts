import {
  correlationHeaders,
  DriftLog,
  type DuringCall,
  Ledger,
  type Observer,
  Redactor,
  Session,
  type SessionContext,
} from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import { circumstancesOf } from './circumstances.ts';
import { Deferred } from './defer.ts';
import type { Entry } from './journal/entries.ts';
import { type ScenarioMiddleware, scenarioMiddleware } from './middleware.ts';
import type { PlanWorld } from './model-based/index.ts';
import { Provisioner } from './provisioner.ts';
import { Readings } from './readings/readings.ts';
import { type RunLog, runLog } from './run-log.ts';
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
  /** Hears of the time that calls take; it is not the scenario's own. */
  readonly during?: DuringCall;
  /** What another scenario left behind, and could not be taken back before this one. */
  readonly leftBehind?: readonly Entry[];
  /** Shared with other scenarios, whose connections it then rides; somebody else disposes of them. */
  readonly transports?: Transports;
}

interface ClosingOptions {
  /** Whether every call must have been judged, and what was learned must hold. */
  readonly verify: boolean;
  readonly signal?: AbortSignal;
  readonly during?: DuringCall;
}

const uncounted: DuringCall = (work) => work();

/**
 * Everything that one scenario may ask for, made when it is first asked for; the same under both hosts.
 * Each value throws `Skipped` where the environment lacks what it is made of.
 */
export class World implements PlanWorld {
  readonly environment: Environment;
  readonly observer: Observer;
  readonly seed: number;
  readonly redactor: Redactor;
  readonly readings: Readings;
  readonly data: InventedData;
  readonly #ledger = new Ledger();
  readonly #drift: DriftLog;
  readonly #deferred = new Deferred();
  readonly #middleware: ScenarioMiddleware;
  readonly #runId: string;
  readonly #correlation: SessionContext['correlation'];
  readonly #leftBehind: readonly Entry[];
  readonly #transports: Transports;
  readonly #ownsTransports: boolean;
  readonly #values = new Map<keyof WorldValues, unknown>();
  #signal: AbortSignal | undefined;
  #during: DuringCall;
  #users: Promise<Users> | undefined;

  constructor({ environment, observer, seed, runId, signal, transports, during, leftBehind = [] }: WorldOptions) {
    this.environment = environment;
    this.observer = observer;
    this.seed = seed;
    this.redactor = new Redactor(environment.secrets);
    this.readings = new Readings(environment, runId, observer);
    this.data = new InventedData(seed, this.readings);
    this.#transports = transports ?? nodeTransports();
    this.#ownsTransports = transports === undefined;
    this.#drift = new DriftLog(environment, observer);
    this.#signal = signal;
    this.#during = during ?? uncounted;
    this.#leftBehind = leftBehind;
    this.#runId = runId;
    this.#middleware = scenarioMiddleware(environment, runId, this.#deferred.defer);
    this.#correlation = correlationHeaders(runId, environment.runHeader);
  }

  /** Another world of the same scenario: its own users, where they can be made, and its own clean-up. */
  another(): World {
    const { environment, observer, seed } = this;
    const signal = this.#signal ? { signal: this.#signal } : {};
    const shared = { transports: this.#transports, during: this.#during, leftBehind: this.#leftBehind };
    return new World({ environment, observer, seed, runId: this.#runId, ...shared, ...signal });
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
  async close({ verify, signal, during }: ClosingOptions): Promise<unknown[]> {
    this.#signal = signal;
    this.#during = during ?? this.#during;
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
      during: (work) => this.#during(work),
      circumstances: circumstancesOf(this, this.#leftBehind),
      get signal() {
        return currentSignal();
      },
    };
  }

  runLog<T>(kind: string): RunLog<T> {
    return runLog(this.#runId, this.environment.name, kind);
  }

  users(): Promise<Users> {
    this.#users ??= this.provisioner().then((helper) =>
      this.#during(() => findUsers(this.environment, helper, this.data, this.redactor)),
    );
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
