import {
  credentialGuard,
  type Middleware,
  rateLimit,
  restoreProfile,
  type Scope,
  type UndoLog,
  undoJournal,
} from '../client/index.ts';
import { type Environment, secretVariable } from '../config/index.ts';
import { acceptanceMemory } from './acceptance-memory.ts';
import { assertConsent } from './consent/consent.ts';
import type { Deferred } from './defer.ts';
import { undoes } from './journal/entries.ts';
import { Journal } from './journal/journal.ts';
import { readJournals } from './journal/read-journals.ts';
import { refusalStore } from './refusal-store.ts';
import { Skipped } from './skip.ts';
import { isMadeBySuite } from './test-data.ts';

/** The middleware state that all scenarios of this process share in an environment. */
interface Shared {
  readonly journal: Journal;
  readonly rateLimit: Middleware;
}

const shared = new WeakMap<Environment, Shared>();

/** The middleware of one scenario. */
export interface ScenarioMiddleware {
  /** Outermost first. */
  readonly middleware: readonly Middleware[];
  /** Call it when the scenario is done, clean-up included. */
  leave(): void;
}

/** Creates the middleware of one scenario; all scenarios of the process share rate limit and journal. */
export function scenarioMiddleware(
  environment: Environment,
  runId: string,
  defer: Deferred['defer'],
): ScenarioMiddleware {
  const { journal, rateLimit } = sharedOf(environment, runId);
  const by = {};
  const scope: Scope = {
    target: environment,
    undoLog: undoLog(journal, environment.name, by),
    roleOf: (userId) => roleOf(userId, environment),
    defer,
    isMadeBySuite,
    skipped: (reason) => new Skipped(reason, 'not-allowed'),
  };
  const guard = credentialGuard(refusalStore(runId, environment.name), (key) => secretVariable(environment.name, key));
  return {
    middleware: [restoreProfile(scope), acceptanceMemory(environment), guard, undoJournal(scope), rateLimit],
    leave: () => journal.leave(by),
  };
}

/** The environment's user with an id; `undefined` for a provisioned one. */
function roleOf(userId: string, { caller, friend }: Environment): ReturnType<Scope['roleOf']> {
  if (userId === caller.userId) return 'caller';
  return userId === friend.userId ? 'friend' : undefined;
}

/** @throws ConfigurationError without consent to runs against the environment. */
function sharedOf(environment: Environment, runId: string): Shared {
  const known = shared.get(environment);
  if (known) return known;
  assertConsent(environment);
  const made = {
    journal: new Journal(environment.name, runId),
    rateLimit: environment.rateLimits ? rateLimit(environment.rateLimits) : rateLimit({ retryAfterLimitMs: 0 }),
  };
  shared.set(environment, made);
  return made;
}

/** The part of an environment's journal that the middleware of one scenario sees; `by` identifies the scenario. */
function undoLog(journal: Journal, environment: string, by: object): UndoLog {
  return {
    add: (change) => journal.add(by, change),
    made: (id) => journal.made(id),
    strike: (id, because) => journal.strike(id, because),
    undoneBy: (request) => journal.findMade((entry) => undoes(request, entry)),
    underWay: () =>
      readJournals(environment)
        .filter(({ live }) => live)
        .flatMap(({ pending }) => pending),
  };
}
