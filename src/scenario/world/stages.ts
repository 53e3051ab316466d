import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RawBody, type Stage, type Stages, sharedPace, TooLate } from '../../call/index.ts';
import type { Environment } from '../../environment/index.ts';
import {
  assertConsent,
  credentialGuard,
  type HandedOn,
  isMadeBySuite,
  Journal,
  KeptProfile,
  KnownStart,
  leftoversOf,
  type Pending,
  recordedChanges,
  type Scope,
  undoneInBody,
} from '../../safety/index.ts';
import type { CallableId, Operation } from '../../service/index.ts';
import { type Note, type Observer, outcomeOf, SpecMistake, type SuccessRule } from '../../verdict/index.ts';
import { usedItems } from '../data/stored-items.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import type { RunFacts } from '../facts/run-facts.ts';
import { runLog } from '../run-files/run-log.ts';
import { Skipped } from '../specs/tags.ts';

export type ScenarioStages = ReturnType<typeof scenarioStages>;

interface ScenarioParts extends Pick<WorldBasis, 'environment' | 'data' | 'observer' | 'facts'> {
  readonly runId: string;
  readonly bodyCalls: BodyCalls;
  readonly handedOn: HandedOn | undefined;
  /**
   * Keeps refused credentials from being sent. A process that stays, such as the monitor, passes its own guard. If absent, a guard that
   * knows the refusals of this run is used.
   */
  readonly guard: Stage | undefined;
  /** Refuses every request of a dry run. */
  readonly refused: Stage | undefined;
}

/** The stages that every request of a scenario passes before it reaches the socket. */
export function scenarioStages(parts: ScenarioParts) {
  const { environment, runId, data, facts, observer, bodyCalls, handedOn } = parts;
  assertConsent(environment);
  const pace = paceOf(environment, facts);
  const { lists, journals, profiles } = handedOn ?? {};
  const found = () => leftoversOf(environment);
  const left = () => journals?.left(found) ?? found();
  const journal = profiles?.journal ?? new Journal(environment, environment.provisionUrl ? [] : left(), journals);
  const scope: Scope = {
    ...handedOn,
    target: environment,
    journal,
    sessions: new Map(),
    roleOf: (userId) => (['caller', 'friend'] as const).find((role) => environment[role].userId === userId),
    isInvented: (id) => data.isInvented(id) || isMadeBySuite(id),
    invent: (like) => data.idLike(like),
    isCleanUp: () => bodyCalls.isCleanUp,
    noted: (note: Note) => observer.noted?.(note),
    step: (at, what, work) => stepOf(observer, at, what, work),
    skipped: (reason) => new Skipped(reason, 'not-allowed'),
  };
  const knownStart = new KnownStart(scope);
  const profile = new KeptProfile(scope);
  const cleanUp = cleanUpWatch(environment.successWhen);
  const accepted = acceptanceWatch(environment.successWhen);
  const { guard = credentialGuard(runLog(runId, environment.name, 'refused'), environment) } = parts;
  const stages: Stages = {
    allowed: [...(parts.refused ? [parts.refused] : []), bodyCalls.allowed, guard, profile.allowed],
    recorded: [
      undoneInBody(scope),
      cleanUp.stage,
      accepted.stage,
      usedItems(environment, runId),
      recordedChanges(scope),
      ...(lists ? [lists.stage] : []),
      // This stage is the last one, because the body may have ended while the call passed the stages before it.
      bodyCalls.stage,
    ],
    sent: pace.middleware,
    settled: (call, exchange, pass) => knownStart.settled(call, exchange, pass),
  };
  return {
    stages,
    knownStart,
    profile,
    /** The mistake of a scenario that declares no clean-up at all; `undefined` if all its changes are undone. */
    missesCleanUp: cleanUp.mistake,
    acceptedOperations: accepted.operations,
    /** Changes that other scenarios and runs left behind, except those that are equal to a change of this scenario. */
    untouched: (): readonly Pending[] => journal.untouched(),
    /** Closes the journal. Called when the scenario is done, including its clean-up. */
    leave: (): void => {
      if (!profiles) journal.end();
    },
  };
}

function stepOf<T>(observer: Observer, at: 'start' | 'body' | 'end', what: string, work: () => Promise<T>): Promise<T> {
  observer.stepped?.({ at, what });
  return observer.step(`${at}: ${what}`, () => '', work);
}

function paceOf(environment: Environment, facts: RunFacts) {
  const pace = sharedPace(environment);
  if (!environment.rateLimits?.maxRequestsPerSecond) pace.onSlowed = (perSecond) => facts.noteRate(perSecond);
  return pace;
}

/** Collects the operations that accepted a request as the specification shows it, without changed headers or a body that is invalid on purpose. */
function acceptanceWatch(rule: SuccessRule | undefined) {
  const operations = new Set<CallableId>();
  const stage: Stage = ({ operation, args, changes, expected }) => {
    if (changes.size > 0 || args instanceof RawBody || expected === 'handled' || expected === 'refusal')
      return undefined;
    return {
      ended: (exchange) => {
        if (exchange && outcomeOf(exchange, rule).isAccepted) operations.add(operation.id as CallableId);
      },
    };
  };
  return { operations, stage };
}

/**
 * Collects the accepted changes of a scenario that it has not undone. A change that the scenario has tried to undo is not among them, even
 * if the service refused the undo.
 */
function cleanUpWatch(rule: SuccessRule | undefined) {
  const open = new Map<string, Operation>();
  const stage: Stage = ({ operation }) => ({
    ended: (exchange) => {
      if (exchange) open.delete(operation.id);
      if (!exchange || !outcomeOf(exchange, rule).isAccepted) return;
      if (operation.undo !== undefined) open.set(operation.undo, operation);
    },
  });
  const mistake = () => {
    const left = [...open].map(([undo, { id, area }]) => {
      const problem = `${id} changes something, and the scenario declares no clean-up`;
      return new SpecMistake(`${problem}; write on the line after it: defer(() => ${area}.${undo}(…).settles())`);
    });
    return SpecMistake.all(left);
  };
  return { stage, mistake };
}

/**
 * The calls of a scenario's body. If one of several parallel calls fails, the others continue, and a late change would arrive after its own
 * undo. So the clean-up waits for all changes that were sent. From then on, only the clean-up may send requests.
 */
export class BodyCalls {
  readonly #isCleanUp = new AsyncLocalStorage<true>();
  readonly #changes = new Set<Promise<void>>();
  #isOver = false;

  readonly allowed: Stage = () => {
    this.#assertOpen();
    return undefined;
  };

  /**
   * Checks, right before a call is sent, that the body has not ended while the call passed earlier stages. If it has ended, the call is not
   * sent, and the earlier stages remove their notes about the call.
   */
  readonly stage: Stage = ({ operation }) => {
    this.#assertOpen();
    if (operation.effect === 'read') return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#changes.add(promise);
    const ended = () => {
      this.#changes.delete(promise);
      resolve();
    };
    return { ended };
  };

  #assertOpen(): void {
    if (this.#isOver && !this.isCleanUp) throw new TooLate('not sent: its scenario is over');
  }

  get isCleanUp(): boolean {
    return this.#isCleanUp.getStore() === true;
  }

  /**
   * Ends the body. Waits for each change that is under way, and then a turn of the event loop, so that the next line of the spec can declare the
   * undo. Then runs `cleanUp`.
   */
  async end<T>(cleanUp: () => Promise<T>): Promise<T> {
    this.#isOver = true;
    if (this.#changes.size > 0) await Promise.allSettled(this.#changes).then(() => nextTurn());
    return this.#isCleanUp.run(true, cleanUp);
  }
}
