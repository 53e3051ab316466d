import {
  type AwaitedChanges,
  ContractLog,
  DriftLog,
  type DuringCall,
  Ledger,
  Session,
  type SessionContext,
  type Stage,
} from '../../call/index.ts';
import type { Environment } from '../../environment/index.ts';
import { GRACE_MS, scenarioSpanId, tracing, unlessAborted } from '../../http/index.ts';
import { brokenAnswer } from '../../questions/index.ts';
import { Redactor, Secret } from '../../redaction/index.ts';
import type { HandedOn, Log } from '../../safety/index.ts';
import { areaIds, type CallableId, type Effect, operations } from '../../service/index.ts';
import { callSite, leavesOut, type Observer, type SpecLine } from '../../verdict/index.ts';
import { askInRun } from '../asking/ask-in-run.ts';
import { type InventedData, inventedData } from '../data/test-data.ts';
import { type Actor, findUsers, type Provisioner, provisionerAt, signIn, type Users } from '../data/users.ts';
import { type CallByName, callByName, Deferred, type FixtureUse, type WorldBasis } from '../data/world-basis.ts';
import { RunFacts } from '../facts/run-facts.ts';
import { circumstancesOf } from '../open-questions/circumstances.ts';
import { awaitedInRun, runLog } from '../run-files/run-log.ts';
import type { Tagged } from '../specs/tags.ts';
import type { FixtureTable } from './fixture-table.ts';
import { BodyCalls, type ScenarioStages, scenarioStages } from './stages.ts';
import { nodeTransports, type Transports } from './transports.ts';

export interface WorldOptions {
  readonly environment: Environment;
  readonly observer: Observer;
  readonly seed: number;
  readonly runId: string;
  /** The trace id of the scenario. Absent if the world isn't a scenario's; then its calls belong to no scenario's span. */
  readonly traceId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Runs each call and each wait, so that their time doesn't use up the scenario's own time limit. */
  readonly during?: DuringCall | undefined;
  /** The gravest effect that the scenario declares; absent if the world isn't a scenario's. */
  readonly declared?: Effect | undefined;
  /**
   * True if the scenario need not declare a clean-up for its changes. The plans of a model test need none: their users are disposable or are
   * cleaned up before and after.
   */
  readonly mayLeaveChanges?: boolean | undefined;
  readonly declaredAt?: SpecLine | undefined;
  /** The fixtures that the scenario can ask for by name; absent if the world isn't a scenario's. */
  readonly fixtures?: FixtureTable | undefined;
  /** Connections that scenarios share, and that their owner closes. Absent: the world opens and closes its own. */
  readonly transports?: Transports | undefined;
  /** Upper limit for the time of a call in ms, even if the environment allows more. */
  readonly longestCallMs?: number | undefined;
  /** Remembers for each earlier wait for a list whether the list showed the change in time. Absent: the waits of this run. */
  readonly awaitedChanges?: AwaitedChanges | undefined;
  readonly handedOn?: HandedOn | undefined;
  /** Keeps refused credentials from being sent. Absent: a guard that knows the refusals of this run. */
  readonly guard?: Stage | undefined;
}

/**
 * How much is checked at the end. `everything`: unjudged calls, missing clean-up, contract and drift. `exchanges`: only contract and drift, because
 * the body was skipped halfway.
 */
export type Verified = 'everything' | 'exchanges' | 'nothing';

interface ClosingOptions {
  readonly verify: Verified;
  readonly signal?: AbortSignal | undefined;
  readonly during?: DuringCall | undefined;
}

/** An error from closing a scenario. `isCleanUp`: the clean-up threw it. */
export interface Closed {
  readonly error: unknown;
  readonly isCleanUp: boolean;
}

/** Everything that one scenario works with: sessions, users, test data, clean-up. The same for both runners. */
export class World implements WorldBasis {
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
  readonly #made = new Map<unknown, unknown>();
  #signal: AbortSignal | undefined;
  #during: DuringCall;
  #users: Promise<Users> | undefined;
  #declaresCleanUp = false;

  constructor(options: WorldOptions) {
    const { environment, observer, runId, traceId } = options;
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
    const { guard, handedOn } = options;
    const bodyCalls = this.#bodyCalls;
    this.#stages = scenarioStages({ environment, runId, data, facts, observer, bodyCalls, guard, refused, handedOn });
    this.#calls = {
      target: environment,
      redactor: this.redactor,
      ledger: new Ledger(options.declaredAt),
      contract: new ContractLog(environment, observer),
      drift,
      declared: options.declared,
      observer,
      transport: (area) => this.#transports.of(area),
      ...tracing(environment, runId, traceId),
      longestCallMs: options.longestCallMs ?? Number.POSITIVE_INFINITY,
      stages: this.#stages.stages,
      during: (work) => this.#during(work),
      awaitedChanges: options.awaitedChanges ?? awaitedInRun(runId, environment.name),
      circumstances: circumstancesOf(this, this.#stages.untouched),
    };
  }

  /**
   * Called before the body of a scenario, and before a question that is asked ahead of the body. Undoes the earlier changes between the scenario's
   * users (e.g. blocks) that lists show. Reads the profile that may be overwritten, so that it can be restored.
   * @throws ExpectationError if the service can't be brought to a known start
   */
  async begin({ area, effect, actsAs, changesNoProfile }: Tagged & FixtureUse): Promise<void> {
    const { environment } = this;
    if (effect === 'read' || (environment.provisionUrl && environment.allowedEffects.has('reversible'))) return;
    const areas = area === 'all' ? areaIds : [area];
    const users = await this.users();
    const known = [users.caller, users.friend, users.stranger, users.anotherStranger].map(({ userId }) => userId);
    const ids = [...new Set([...known, ...environment.data.otherUserIds])];
    const actors: Actor[] = ['caller', ...(actsAs ? [actsAs] : [])];
    for (const actor of actors.filter((each) => users[each].accessToken)) {
      const session = await this.session(actor);
      // Another user's profile is read only when the scenario updates it.
      const mayUpdate = actor === 'caller' && effect !== 'reversible' && !changesNoProfile;
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

  /** The value of a fixture, made on first use. @throws Skipped if the environment lacks the data for it */
  fixture(name: string): Promise<unknown> {
    const row = this.#options.fixtures?.[name];
    if (!row) throw new Error(`unreachable: no fixture is named ${name}`);
    const make = typeof row === 'function' ? row : row.make;
    return this.once(name, async () => this.#awaited(name, await make(this)));
  }

  once<T>(key: unknown, make: () => T): T {
    if (!this.#made.has(key)) this.#made.set(key, make());
    return this.#made.get(key) as T;
  }

  /** A spec must wait for the result of a fixture that is a function, as it must for a call, so the ledger tracks the result. */
  #awaited(name: string, value: unknown): unknown {
    if (typeof value !== 'function') return value;
    const { ledger } = this.#calls;
    const awaited = (...args: unknown[]): unknown => {
      const result: unknown = value(...args);
      return result instanceof Promise ? ledger.track(ledger.enter(name, callSite(awaited)), result) : result;
    };
    return awaited;
  }

  /** Cleans up, and returns the errors, the gravest first. The scenario's signal may be aborted already, so the clean-up uses `signal` instead. */
  async close({ verify, signal, during }: ClosingOptions): Promise<Closed[]> {
    this.#signal = signal;
    this.#during = during ?? this.#during;
    const { declaredAt, mayLeaveChanges, transports } = this.#options;
    const isMissed = verify === 'everything' && !mayLeaveChanges && !this.#declaresCleanUp;
    const withoutCleanUp = isMissed ? this.#stages.missesCleanUp()?.at(declaredAt) : undefined;
    const { ledger, contract, drift } = this.#calls;
    const unjudged = () => (verify === 'everything' ? (ledger.unjudged() ?? []) : []);
    const before = unjudged();
    const closing = this.#bodyCalls.end(async () => [
      ...(await this.#deferred.run()),
      ...(await this.#stages.knownStart.end()),
    ]);
    const cleanUp = await unlessAborted(closing, signal, GRACE_MS).catch((error: unknown) => [error]);
    const whole = [before, unjudged()].flat();
    // A breach of the team's OpenAPI document is graver than drift. A violation of the specification is graver than both.
    const beyond = verify !== 'nothing' ? [...contract.broken, ...drift.broken] : [];
    const isOwn = (error: unknown) => ({ error, isCleanUp: false });
    const isOfCleanUp = (error: unknown) => ({ error, isCleanUp: true });
    const errors = [
      ...cleanUp.filter((error) => !leavesOut(error)).map(isOfCleanUp),
      ...[...whole, ...beyond].map(isOwn),
    ];
    if (withoutCleanUp && errors.length === 0) errors.push(isOwn(withoutCleanUp));
    // Skips in the clean-up come last, so that they hide no failure.
    errors.push(...cleanUp.filter(leavesOut).map(isOfCleanUp));
    if (verify === 'everything') for (const name of this.facts.held) this.facts.heldInRun.add(name);
    this.#stages.leave();
    if (!transports) await this.#transports.dispose();
    return errors;
  }

  /** Registers clean-up of the scenario. After the clean-up, the suite restores the state that it found before the body. */
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
    // A call of the body that is still under way during the clean-up uses the body's signal, so it is stopped with the body.
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

  runLog<T>(kind: string): Log<T> {
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
    const { traceId } = this.#options;
    // An environment that allows only `read` doesn't allow creating users either.
    if (!provisionUrl || !allowedEffects.has('reversible')) return undefined;
    return provisionerAt(provisionUrl, {
      ask: this.#transports.ask,
      timeoutMs: Math.min(requestTimeoutMs, this.#calls.longestCallMs ?? Number.POSITIVE_INFINITY),
      // Requests to the provisioner are no calls of an operation, so their spans belong directly to the scenario.
      correlation: () => this.#calls.correlation(traceId && scenarioSpanId(traceId)),
    });
  }
}
