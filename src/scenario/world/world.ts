import {
  type AwaitedUndos,
  ContractLog,
  DriftLog,
  type DuringCall,
  Ledger,
  Session,
  type SessionContext,
} from '../../call/index.ts';
import type { Environment } from '../../environment/index.ts';
import { correlationHeaders } from '../../http/index.ts';
import { brokenAnswer } from '../../questions/index.ts';
import { Redactor, Secret } from '../../redaction/index.ts';
import { areaIds, type CallableId, type Effect, operations } from '../../service/index.ts';
import { callSite, leavesOut, type Observer, type SpecLine } from '../../verdict/index.ts';
import { askInRun } from '../asking/ask-in-run.ts';
import { type InventedData, inventedData } from '../data/test-data.ts';
import { type Actor, findUsers, type Provisioner, provisionerAt, signIn, type Users } from '../data/users.ts';
import { type CallByName, callByName, Deferred } from '../data/world-basis.ts';
import { RunFacts } from '../facts/run-facts.ts';
import type { PlanWorld } from '../model-based/model-test.ts';
import { circumstancesOf } from '../open-questions/circumstances.ts';
import { type RunLog, runLog } from '../run-files/run-log.ts';
import type { Tagged } from '../specs/tags.ts';
import { BodyCalls, type ScenarioStages, scenarioStages } from './stages.ts';
import { nodeTransports, type Transports } from './transports.ts';
import { untilStopped } from './until-stopped.ts';
import { factories, type WorldValues } from './world-values.ts';

/**
 * Values of scenarios that save avatars, not profiles. If one updates a profile after all, the profile is read then.
 */
const ofAvatars: ReadonlySet<string> = new Set<keyof WorldValues>(['newAvatar', 'keepsItems', 'keepsAvatarsApart']);

export interface WorldOptions {
  readonly environment: Environment;
  readonly observer: Observer;
  readonly seed: number;
  readonly runId: string;
  readonly signal?: AbortSignal | undefined;
  /** Gets the time that calls take, which doesn't count for the scenario. */
  readonly during?: DuringCall | undefined;
  /** The gravest effect that the scenario declares; absent for what isn't a scenario. */
  readonly declared?: Effect | undefined;
  /** Whether what it leaves behind is nobody's: the plans of a model test have users of their own. */
  readonly mayLeaveChanges?: boolean | undefined;
  readonly declaredAt?: SpecLine | undefined;
  /** Connections shared with other scenarios, closed by their owner. */
  readonly transports?: Transports | undefined;
  /** A call may not take longer, whatever the environment allows; in ms. */
  readonly longestCallMs?: number | undefined;
  /** The undos that were awaited before. Absent: those of this run. */
  readonly awaitedUndos?: AwaitedUndos | undefined;
}

interface ClosingOptions {
  /** Whether to check for unjudged calls and drift. A body that was left out in its middle came to no more than its `exchanges`. */
  readonly verify: boolean | 'exchanges';
  readonly signal?: AbortSignal | undefined;
  readonly during?: DuringCall | undefined;
}

/** What closing a scenario threw; `isCleanUp`: its deferred clean-up did. */
export interface Closed {
  readonly error: unknown;
  readonly isCleanUp: boolean;
}

/** What one scenario may ask for, made on first use, under both runners. Each value throws `Skipped` where its data is lacking. */
export class World implements PlanWorld {
  readonly environment: Environment;
  readonly observer: Observer;
  readonly seed: number;
  readonly redactor: Redactor;
  readonly facts: RunFacts;
  readonly data: InventedData;
  readonly #options: WorldOptions;
  readonly #calls: SessionContext & { readonly contract: ContractLog; readonly drift: DriftLog };
  readonly #deferred = new Deferred();
  readonly #bodyCalls = new BodyCalls();
  readonly #stages: ScenarioStages;
  readonly #transports: Transports;
  readonly #values = new Map<keyof WorldValues, unknown>();
  #signal: AbortSignal | undefined;
  #during: DuringCall;
  #users: Promise<Users> | undefined;
  #declaresCleanUp = false;

  constructor(options: WorldOptions) {
    const { environment, observer, runId } = options;
    this.#options = options;
    this.environment = environment;
    this.observer = observer;
    this.seed = options.seed;
    this.redactor = new Redactor(environment.secrets);
    const drift = new DriftLog(environment, observer, brokenAnswer);
    this.facts = new RunFacts({
      ...{ environment, runId, observer, drift },
      ask: (question, operation, maxRequests) => askInRun(this, question, operation, maxRequests, options.declared),
    });
    this.data = inventedData(options.seed, (operation) => this.facts.formOf(operation), environment.data);
    this.#transports = options.transports ?? nodeTransports(environment);
    this.#signal = options.signal;
    this.#during = options.during ?? ((work) => work());
    const { data, facts } = this;
    const { refused } = this.#transports;
    this.#stages = scenarioStages({ environment, runId, data, facts, observer, bodyCalls: this.#bodyCalls, refused });
    this.#calls = {
      target: environment,
      redactor: this.redactor,
      ledger: new Ledger(options.declaredAt),
      contract: new ContractLog(environment, observer),
      drift,
      declared: options.declared,
      observer,
      transport: (area) => this.#transports.of(area),
      correlation: correlationHeaders(runId, environment.runHeader),
      longestCallMs: options.longestCallMs ?? Number.POSITIVE_INFINITY,
      stages: this.#stages.stages,
      during: (work) => this.#during(work),
      awaitedUndos: options.awaitedUndos ?? runLog(runId, environment.name, 'undo-awaited'),
      circumstances: circumstancesOf(this, this.#stages.untouched),
    };
  }

  /**
   * Before a body, or a question that is asked before it: undoes what lists show of the scenario's users, and reads the profile that may be
   * overwritten. `names` is what the body asks for. @throws ExpectationError where the service can't be brought to a known start.
   */
  async begin({ area, effect }: Pick<Tagged, 'area' | 'effect'>, names: readonly string[] = []): Promise<void> {
    const { environment } = this;
    if (effect === 'read' || (environment.provisionUrl && environment.allowedEffects.has('reversible'))) return;
    const areas = area === 'all' ? areaIds : [area];
    const users = await this.users();
    const known = [users.caller, users.friend, users.stranger, users.anotherStranger].map(({ userId }) => userId);
    const ids = [...new Set([...known, ...environment.data.otherUserIds])];
    const actsAsFriend = names.some((name) => name === 'asFriend' || name === 'modelTest');
    const actors: Actor[] = actsAsFriend ? ['caller', 'friend'] : ['caller'];
    for (const actor of actors.filter((each) => users[each].accessToken)) {
      const session = await this.session(actor);
      // The profile of another user is read where it is changed after all.
      const mayUpdate = actor === 'caller' && effect !== 'reversible' && !names.some((name) => ofAvatars.has(name));
      if (mayUpdate && areas.includes(operations.updateProfile.area)) await this.#stages.profile.begin(session);
      await this.#stages.knownStart.begin(
        session,
        areas,
        ids.filter((id) => id !== session.caller.userId),
      );
    }
  }

  another(): World {
    const now = { transports: this.#transports, signal: this.#signal, during: this.#during };
    return new World({ ...this.#options, ...now, mayLeaveChanges: true });
  }

  get acceptedOperations(): ReadonlySet<CallableId> {
    return this.#stages.acceptedOperations;
  }

  async value<K extends keyof WorldValues>(name: K): Promise<WorldValues[K]> {
    const make = async () => this.#awaited(name, await factories[name](this));
    if (!this.#values.has(name)) this.#values.set(name, make());
    return (await this.#values.get(name)) as WorldValues[K];
  }

  /** A function that a spec has to wait for, like a call. */
  #awaited(name: string, value: unknown): unknown {
    if (typeof value !== 'function') return value;
    const { ledger } = this.#calls;
    const awaited = (...args: unknown[]): unknown => {
      const result: unknown = value(...args);
      return result instanceof Promise ? ledger.track(ledger.enter(name, callSite(awaited)), result) : result;
    };
    return awaited;
  }

  /** Cleans up; returns the errors, the gravest first. The scenario's signal may be aborted already: clean-up uses `signal` instead. */
  async close({ verify, signal, during }: ClosingOptions): Promise<Closed[]> {
    this.#signal = signal;
    this.#during = during ?? this.#during;
    const { declaredAt, mayLeaveChanges, transports } = this.#options;
    const isMissed = verify === true && !mayLeaveChanges && !this.#declaresCleanUp;
    const withoutCleanUp = isMissed ? this.#stages.missesCleanUp()?.at(declaredAt) : undefined;
    const { ledger, contract, drift } = this.#calls;
    const unjudged = () => (verify === true ? (ledger.unjudged() ?? []) : []);
    const before = unjudged();
    const closing = this.#bodyCalls.end(async () => [
      ...(await this.#deferred.run()),
      ...(await this.#stages.knownStart.end()),
    ]);
    const cleanUp = await untilStopped(closing, signal).catch((error: unknown) => [error]);
    const whole = [before, unjudged()].flat();
    // In the order of grades: a violation of the specification is more severe than these.
    const beyond = verify ? [...contract.broken, ...drift.broken] : [];
    const isOwn = (error: unknown) => ({ error, isCleanUp: false });
    const isOfCleanUp = (error: unknown) => ({ error, isCleanUp: true });
    const errors = [
      ...cleanUp.filter((error) => !leavesOut(error)).map(isOfCleanUp),
      ...[...whole, ...beyond].map(isOwn),
    ];
    if (withoutCleanUp && errors.length === 0) errors.push(isOwn(withoutCleanUp));
    // What is left out of the clean-up hides nothing that is broken.
    errors.push(...cleanUp.filter(leavesOut).map(isOfCleanUp));
    if (verify === true) this.facts.noteHeld();
    this.#stages.leave();
    if (!transports) await this.#transports.dispose();
    return errors;
  }

  /** Declares clean-up of the scenario. After it, the suite puts back the state that it found before the body. */
  get defer(): Deferred['defer'] {
    return (task) => {
      this.#declaresCleanUp = true;
      this.#deferred.defer(task);
    };
  }

  async session(as: Actor = 'caller', observer = this.observer): Promise<Session> {
    const { caller, name } = signIn(await this.users(), as);
    return new Session(this.#context({ observer }), caller, name);
  }

  async call(as?: Actor): Promise<CallByName> {
    return callByName(await this.session(as));
  }

  async ownSession(): Promise<Session> {
    return new Session(this.#context({ declared: undefined }), signIn(await this.users(), 'caller').caller);
  }

  async freshSession(): Promise<Session> {
    const provisioner = await this.provisioner();
    if (!provisioner) return this.session();
    const [user] = await this.#during(() => provisioner.users(1));
    if (!user) throw new Error('unreachable: the provisioner was checked to give a user');
    const accessToken = new Secret(user.accessToken);
    this.redactor.add(accessToken);
    const { caller } = await this.users();
    const fresh = { ...caller, userId: user.userId, accessToken };
    return new Session(this.#context(), fresh, 'a fresh user');
  }

  #context(changes: Partial<SessionContext> = {}): SessionContext {
    // A call of the body that is still under way when the clean-up begins is stopped with the body.
    const currentSignal = () => (this.#bodyCalls.isCleanUp ? this.#signal : this.#options.signal);
    return {
      ...this.#calls,
      ...changes,
      get signal() {
        return currentSignal();
      },
    };
  }

  get runId(): string {
    return this.#options.runId;
  }

  runLog<T>(kind: string): RunLog<T> {
    return runLog(this.#options.runId, this.environment.name, kind);
  }

  users(): Promise<Users> {
    this.#users ??= this.provisioner().then((helper) =>
      this.#during(() => findUsers(this.environment, helper, this.data, this.redactor)),
    );
    return this.#users;
  }

  async provisioner(): Promise<Provisioner | undefined> {
    const { provisionUrl, allowedEffects, requestTimeoutMs } = this.environment;
    // An environment that allows only `read` doesn't allow creating users either.
    if (!provisionUrl || !allowedEffects.has('reversible')) return undefined;
    return provisionerAt(provisionUrl, {
      ask: this.#transports.ask,
      timeoutMs: Math.min(requestTimeoutMs, this.#calls.longestCallMs ?? Number.POSITIVE_INFINITY),
      correlation: this.#calls.correlation,
    });
  }
}
