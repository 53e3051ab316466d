import type { Environment } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';
import { namingOf } from '../../scenario/index.ts';
import { type CallableId, callable } from '../../service/index.ts';
import {
  DoneBefore,
  type Failure,
  outcomeOf,
  type SuiteError,
  type Unaccepted,
  type Verdict,
  verdicts,
} from '../../verdict/index.ts';
import { overallVerdict } from './result.ts';

/** An operation that refused every documented request of a run. None of these refusals is a failure of the operation. */
export interface UnprovenOperation extends Unaccepted {
  readonly environment: string;
  /** True if a scenario already reports this operation as the reason why it could not be judged. */
  readonly isReported?: true;
}

/** The part of a result that shows which operations were proven. */
interface Ended {
  readonly environment: string;
  readonly failures?: readonly Failure[];
  readonly acceptedOperations?: readonly CallableId[];
}

/**
 * The operation that caused an error by refusing a documented request, with the reason and a cure. `undefined` if the error has another
 * cause.
 */
export function unacceptedIn(error: SuiteError, environment: Environment): Unaccepted | undefined {
  const { refused } = error;
  // A 404 from a list may only mean that the list has no entries, so it isn't treated as a refusal.
  if (!refused || outcomeOf(refused, environment.successWhen).isNoEntries) return undefined;
  const { operation, response } = refused;
  const { what, key, isGiven } = namingOf(environment, operation);
  const isDone = error instanceof DoneBefore || meansDoneBefore(refused, environment);
  const excuse = isDone ? 'done before' : environment.mayBeUnproven.has(operation) ? 'MAY_BE_UNPROVEN' : undefined;
  return {
    operation,
    why: `it ${isDone ? 'was done before' : `refuses ${what}`} (${response?.status})`,
    ...(key && !isDone
      ? { key, cure: `${isGiven ? 'correct' : 'set'} ${key}, or survey the environment` }
      : { cure: 'survey the environment' }),
    ...(excuse ? { excuse } : {}),
  };
}

/**
 * Whether the service refused a clone or a report because it exists already: the status is 409, or the one that the fact about repeated
 * requests names.
 */
function meansDoneBefore({ operation, response }: Exchange, { facts }: Environment): boolean {
  const { usesUp } = callable(operation);
  if (!usesUp || usesUp.renewedBy === 'item') return false;
  return response?.status === 409 || facts?.of('repeat', operation)?.answer === `refused with ${response?.status}`;
}

/** The operations that accepted no documented request in the whole run, refused at least one, and have no failure. */
export function unprovenOperations(results: readonly Ended[]): UnprovenOperation[] {
  return [...Map.groupBy(results, ({ environment }) => environment)].flatMap(([environment, own]) => {
    const proven = new Set(own.flatMap(({ acceptedOperations = [] }) => acceptedOperations));
    const failures = own.flatMap((each) => each.failures ?? []);
    const failed = new Set(failures.filter(isRed).flatMap(operationsOf));
    const refusals = Map.groupBy(
      failures.filter(
        ({ unaccepted }) => unaccepted && !proven.has(unaccepted.operation) && !failed.has(unaccepted.operation),
      ),
      ({ unaccepted }) => unaccepted?.operation,
    );
    return [...refusals.values()].flatMap((alike) => {
      // If one refusal shows that the change was made before, this also explains the other refusals of the operation.
      const all = alike.flatMap(({ unaccepted }) => unaccepted ?? []);
      const [first] = all.toSorted((a, b) => Number(b.excuse !== undefined) - Number(a.excuse !== undefined));
      return first ? { ...first, environment, ...(alike.some(isRed) ? { isReported: true as const } : {}) } : [];
    });
  });
}

function isRed({ verdict }: Failure): boolean {
  return verdicts[verdict].isRed;
}

function operationsOf({ call, unseen, needs }: Failure): CallableId[] {
  return [call?.operation, unseen?.change, needs].filter((each) => each !== undefined);
}

/** Whether the operation keeps the run from being judged, while no scenario reports this. */
function isOpen({ excuse, isReported }: UnprovenOperation): boolean {
  return excuse === undefined && !isReported;
}

/** The verdict on a run: that of its scenarios, except that a green run becomes `unknown` if an operation could not be judged. */
export function verdictOfRun(scenarios: readonly Verdict[], unproven: readonly UnprovenOperation[]): Verdict {
  return overallVerdict([...scenarios, ...(unproven.some(isOpen) ? (['unknown'] as const) : [])]);
}

/** One line for each operation that keeps the run from being judged: `could not judge add or update avatar: …`. */
export function unjudgedLines(unproven: readonly UnprovenOperation[]): string[] {
  return unproven.filter(isOpen).map(({ operation, why, cure }) => {
    return `could not judge ${titleOf(operation)}: ${why}; ${cure}. If that doesn't help, the operation is broken (MAY_BE_UNPROVEN=${operation} accepts runs that don't judge it)`;
  });
}

/**
 * A line such as `unproven in this run, because never accepted: add or update avatar (AVATAR_ITEM_IDS), clone type (done before)`. `undefined` if every operation
 * is proven.
 */
export function unprovenLine(unproven: readonly UnprovenOperation[]): string | undefined {
  if (unproven.length === 0) return undefined;
  const isOne = new Set(unproven.map(({ environment }) => environment)).size === 1;
  const each = unproven.map(({ environment, operation, key, excuse }) => {
    const why = excuse ?? key;
    return `${isOne ? '' : `${environment}: `}${titleOf(operation)}${why ? ` (${why})` : ''}`;
  });
  return `unproven in this run, because never accepted: ${each.join(', ')}`;
}

function titleOf(operation: CallableId): string {
  return callable(operation).title.toLowerCase();
}
