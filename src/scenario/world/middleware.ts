import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  credentialGuard,
  judge,
  knownStart,
  type Middleware,
  pendingChange,
  type ReversibleChange,
  rateLimit,
  restoreProfile,
  type Scope,
  SpecMistake,
  type SuccessRule,
  SuiteFault,
  undoes,
  undoJournal,
} from '../../client/index.ts';
import { type Environment, secretVariable } from '../../config/index.ts';
import type { Operation } from '../../spec/index.ts';
import { assertConsent } from '../consent/consent.ts';
import { usedItems } from '../data/stored-items.ts';
import { isMadeBySuite } from '../data/test-data.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import type { RunFacts } from '../facts/run-facts.ts';
import type { Entry } from '../journal/entries.ts';
import { type Journal, journalOf } from '../journal/journal.ts';
import { type Leftovers, leftoversIn, readDeadJournals, readJournals } from '../journal/read-journals.ts';
import { Skipped } from '../specs/tags.ts';
import { runLog } from '../state/run-log.ts';

const shared = new WeakMap<Environment, { readonly journal: Journal; readonly innermost: readonly Middleware[] }>();

export type ScenarioMiddleware = ReturnType<typeof scenarioMiddleware>;

interface ScenarioParts extends Pick<WorldBasis, 'environment' | 'data' | 'defer' | 'observer' | 'facts'> {
  readonly runId: string;
  readonly leftovers: Leftovers;
  readonly bodyCalls: BodyCalls;
}

export function scenarioMiddleware(parts: ScenarioParts) {
  const { environment, runId, defer, data, facts, observer, leftovers, bodyCalls } = parts;
  const { journal, innermost } = sharedOf(environment, runId, facts);
  const by = {};
  const changed: ReversibleChange[] = [];
  // What this scenario has released meanwhile is in a journal that was not there at its start.
  const allLeft = () => leftoversIn(readDeadJournals(environment.name));
  const noteLeft: Leftovers['note'] = (id, line) => (leftovers.has(id) ? leftovers : allLeft()).note(id, line);
  const scope: Scope = {
    target: environment,
    undoLog: {
      add: (change) => {
        changed.push(change);
        return journal.add(by, change);
      },
      made: (id, isAccepted) => journal.made(id, isAccepted),
      undone: (id) => (journal.has(id) ? journal.undone(id) : noteLeft(id, { undone: id })),
      strike: (id, because) => (journal.has(id) ? journal.strike(id, because) : noteLeft(id, { struck: id, because })),
      sent: () => [...journal.sent(by), ...leftovers.sent],
      underWay: () => {
        const others = readJournals(environment.name, (path) => !journal.isIn(path));
        return [...journal.pending(), ...others.flatMap(({ live, pending }) => (live ? pending : []))];
      },
    },
    roleOf: (userId) => (['caller', 'friend'] as const).find((role) => environment[role].userId === userId),
    defer,
    isMadeBySuite,
    isInvented: (id) => data.isInvented(id) || isMadeBySuite(id),
    invent: (like) => data.idLike(like),
    noted: (note) => observer.noted?.(note),
    skipped: (reason) => new Skipped(reason, 'not-allowed'),
  };
  const cleanUp = cleanUpWatch(environment.successWhen);
  const guard = credentialGuard(runLog(runId, environment.name, 'refused'), (key) =>
    secretVariable(environment.name, key),
  );
  return {
    /** Outermost first. */
    middleware: [
      bodyCalls.pendingWhenOver,
      cleanUp.middleware,
      restoreProfile(scope),
      knownStart(scope),
      usedItems(environment, runId),
      guard,
      bodyCalls.middleware,
      undoJournal(scope),
      ...innermost,
    ],
    /** The mistake of a scenario that declares no clean-up at all; `undefined` where it left nothing behind. */
    missesCleanUp: cleanUp.mistake,
    /** What runs that are over left behind, and this scenario did not change itself. */
    untouched: (): readonly Entry[] => leftovers.pending.filter((entry) => !changed.some((own) => undoes(own, entry))),
    /** Call it when the scenario is done, clean-up included. */
    leave: (): void => journal.leave(by, allLeft),
  };
}

/** @throws ConfigurationError without consent to runs against the environment. */
function sharedOf(environment: Environment, runId: string, facts: RunFacts) {
  const known = shared.get(environment);
  if (known) return known;
  assertConsent(environment);
  const limit = rateLimit(environment.rateLimits ?? { retryAfterLimitMs: 0 }, undefined, (perSecond) =>
    environment.rateLimits?.maxRequestsPerSecond ? undefined : facts.noteRate(perSecond),
  );
  const made = { journal: journalOf(environment.name, runId), innermost: [pendingChange(environment), limit] };
  shared.set(environment, made);
  return made;
}

/** Sees which changes of a scenario were accepted and not undone by its own calls. */
function cleanUpWatch(rule: SuccessRule | undefined) {
  const open = new Map<string, Operation>();
  const middleware: Middleware = async (call, next) => {
    const exchange = await next(call);
    const { operation } = call;
    if (judge(exchange, 'success', rule) === undefined) {
      open.delete(operation.id);
      if (operation.undo !== undefined) open.set(operation.undo, operation);
    }
    return exchange;
  };
  const mistake = () => {
    const left = [...open].map(([undo, { id, area }]) => {
      const problem = `${id} changes something, and the scenario declares no clean-up`;
      return new SpecMistake(`${problem}; write on the line after it: defer(() => ${area}.${undo}(…).settles())`);
    });
    return SpecMistake.all(left);
  };
  return { middleware, mistake };
}

/** A call of a body that is over was not sent. */
class TooLate extends SuiteFault {
  override readonly name = 'TooLate';
}

/**
 * The calls of a scenario's body. Of several at once, the others go on when one has failed, and a change among them would follow its
 * own undo: a change that is on its way ends before the clean-up, and nothing is sent any more but what the clean-up sends.
 */
export class BodyCalls {
  readonly #isCleanUp = new AsyncLocalStorage<true>();
  readonly #isInside = new AsyncLocalStorage<true>();
  readonly #changes = new Set<Promise<unknown>>();
  #isOver = false;

  /** Stands before all others. A call that comes too late stays pending: its error would concern nobody but them. */
  readonly pendingWhenOver: Middleware = async (call, next) => {
    // What they send themselves ends with them.
    if (this.#isInside.getStore()) return next(call);
    try {
      return await this.#isInside.run(true, () => next(call));
    } catch (error) {
      if (error instanceof TooLate) return new Promise(() => {});
      throw error;
    }
  };

  /** Stands where nothing more is read before a change. What was noted for a call that comes too late is struck off again. */
  readonly middleware: Middleware = async (call, next) => {
    if (this.#isOver && !this.isCleanUp) throw new TooLate('not sent: its scenario is over');
    const sent = next(call);
    if (call.operation.effect === 'read') return sent;
    this.#changes.add(sent);
    return sent.finally(() => this.#changes.delete(sent));
  };

  get isCleanUp(): boolean {
    return this.#isCleanUp.getStore() === true;
  }

  /** Waits for each change, and for the line of the spec after it, which declares its undo. */
  async end<T>(cleanUp: () => Promise<T>): Promise<T> {
    this.#isOver = true;
    if (this.#changes.size > 0) await Promise.allSettled(this.#changes).then(() => nextTurn());
    return this.#isCleanUp.run(true, cleanUp);
  }
}
