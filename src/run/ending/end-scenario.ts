import { inspect, stripVTControlCharacters } from 'node:util';
import { definedFields, type Environment, grouped } from '../../environment/index.ts';
import { curlLine, type Exchange, parsedJson } from '../../http/index.ts';
import { credentialKey } from '../../safety/index.ts';
import { type Closed, configuredIn, type SpecRun, type Tagged, type Verified } from '../../scenario/index.ts';
import { type CallableId, callable } from '../../service/index.ts';
import {
  ExpectationError,
  excerpt,
  type Failure,
  leavesOut,
  lineText,
  type Note,
  outcomeOf,
  type ScenarioStep,
  type SpecLine,
  SpecMistake,
  SuiteError,
  SuiteFault,
  specLineOf,
  teamLineOf,
  threwError,
  verdicts,
} from '../../verdict/index.ts';
import { certificatesOf, certificateWarnings } from './certificates.ts';
import { type AskedHosts, unlessReached } from './hosts.ts';
import { overText, type Quarantined, quarantineOf, quarantineText } from './quarantine.ts';
import { type RunVerdict, type ScenarioResult, STOPPED } from './result.ts';
import { traceOf } from './scenario-trace.ts';
import { isOutOfTime, outOfTime } from './time-limits.ts';
import { unacceptedIn } from './unproven-operations.ts';
import { unseenChange } from './unseen-change.ts';

/** A scenario whose body has ended, in either runner. */
export interface Played extends Tagged {
  readonly title: string;
  readonly file: string;
  readonly environment: Environment;
  /** The trace id of the scenario's calls. */
  readonly traceId: string;
  readonly startedAt: number;
  readonly durationMs: () => number;
  readonly declaredAt?: SpecLine | undefined;
  /** The operations that accepted a documented request; empty if the scenario never began. */
  readonly acceptedOperations: Iterable<CallableId>;
  /** Exchanges, notes and steps of the scenario. Clean-up adds to all three. */
  readonly exchanges: readonly Exchange[];
  readonly notes: readonly Note[];
  readonly steps: readonly ScenarioStep[];
  /** The error of the scenario's body; `undefined` if every expectation held. */
  readonly error: unknown;
  /** Why the scenario was stopped in the middle; absent if it wasn't. */
  readonly stopped?: Stopped | undefined;
  /** Collects errors of the spec that no `await` sees. */
  readonly specRun: SpecRun;
  /** Cleans up, makes the last checks, and returns all errors found. Absent if the scenario never began. */
  readonly close?: ((verify: Verified) => Promise<readonly Closed[]>) | undefined;
  /** Called with the errors from `close`, except drift in an environment whose DRIFT isn't `fail`. */
  readonly onClosed?: ((closed: readonly Closed[]) => void) | undefined;
  /** Maximum duration of a call, in ms. */
  readonly longestCallMs?: number | undefined;
  /** The hosts to which this run has already tried to connect, with the results. */
  readonly askedHosts?: AskedHosts | undefined;
  /** The quarantine list: failures of the scenarios in this list count as skipped. */
  readonly quarantine?: readonly Quarantined[] | undefined;
  /** Called with the result of a scenario that doesn't pass, before its clean-up begins. */
  readonly onBroken?: ((result: ScenarioResult) => void) | undefined;
}

/**
 * Why a scenario was stopped. `usedUp` names the scenario's own limit (of time or calls) that was used up. `signal` was aborted because the
 * run's time was up, or because a user stopped the run.
 */
export interface Stopped {
  readonly usedUp?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Ends a scenario in either runner: combines the outcomes of its body, clean-up, contract, drift and quarantine into one result. */
export async function endScenario(played: Played): Promise<ScenarioResult> {
  const { environment, stopped, exchanges, specRun } = played;
  const [stray, ...strays] = await specRun.errors();
  const error = played.error ?? stray;
  const made = [...exchanges];
  const body: RunVerdict = stopped
    ? verdictOfStopped(error, made, stopped)
    : error === undefined
      ? pace(made, environment.slowAfterMs)
      : verdictOf(endingOf(played, { error, isCleanUp: false }));
  const isBroken = error !== undefined || stopped !== undefined;
  if (isBroken) played.onBroken?.(resultOf(played, body, []));
  const isLeftOut = isBroken && !stopped && !verdicts[body.verdict].ran;
  const verify = isLeftOut ? 'exchanges' : isBroken ? 'nothing' : 'everything';
  const atEnd = ((await played.close?.(verify)) ?? []).filter(({ error }) => counts(error, environment));
  played.onClosed?.(atEnd);
  const all = [stray, ...strays, ...(await specRun.errors())];
  specRun.end();
  const further = all.filter((each) => each !== undefined && each !== error);
  const closed = [...atEnd, ...further.map((each) => ({ error: each, isCleanUp: false }))];
  // If the body was skipped, a failed clean-up decides the verdict. If the body failed, the clean-up's failure is added to the body's.
  const [first, ...rest] = closed;
  const decides = verify !== 'nothing' && first !== undefined && !(isLeftOut && leavesOut(first.error));
  const ended = decides ? verdictOf(endingOf(played, first)) : body;
  const decided = await unlessReached(ended, played.area, environment, played.longestCallMs, played.askedHosts);
  const others = (decides ? rest : closed)
    .map((each) => endingOf(played, each).failure)
    .filter(({ verdict }) => verdicts[verdict].ran);
  const failures = [...(decided.failures ?? []), ...(verdicts[decided.verdict].isRed ? others : [])];
  const result = resultOf(played, { ...decided, ...(failures.length > 0 ? { failures } : {}) }, [
    ...warningsOf(played, made),
    ...others.map(({ merely, reason }) => `${merely ? 'clean-up failed: ' : ''}${reason}`),
  ]);
  return afterQuarantine(result, played.quarantine ?? [], environment.name, Date.now());
}

/**
 * Whether an error from the end of a scenario is a failure. Drift is a failure only with DRIFT=fail; otherwise the notes about the drift
 * become warnings.
 */
function counts(error: unknown, { drift }: Environment): boolean {
  return drift === 'fail' || !(error instanceof ExpectationError && error.failure.drift);
}

function resultOf(played: Played, { failing, ...rest }: RunVerdict, warnings: readonly string[]): ScenarioResult {
  const { title, area, effect, file, declaredAt, startedAt, durationMs, exchanges, notes, steps } = played;
  const accepted = acceptedIn(played);
  const acceptedOperations = [...played.acceptedOperations];
  return {
    ...{ title, area, effect, file, ...rest },
    ...(declaredAt ? { line: declaredAt.line } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(notes.length > 0 ? { notes } : {}),
    ...(steps.length > 0 ? { steps } : {}),
    ...{ startedAt, durationMs: durationMs() },
    ...definedFields({ failing, curl: failing ? curlLine(failing.request) : rest.failures?.[0]?.call?.curl }),
    ...(accepted.length > 0 ? { accepted } : {}),
    ...(acceptedOperations.length > 0 ? { acceptedOperations } : {}),
    exchanges,
    ...traceOf(played, rest.verdict),
  };
}

function acceptedIn({ environment, exchanges }: Played): readonly string[] {
  const accepted = exchanges.filter((each) => outcomeOf(each, environment.successWhen).isAccepted);
  return [...new Set(accepted.map((exchange) => credentialOf(exchange, environment)))];
}

function credentialOf({ operation, request }: Exchange, { friend }: Environment) {
  return credentialKey(callable(operation).headerSet, request.headers['mm-user-id'] === friend.userId);
}

/** Turns any thrown value into an error of the suite. If a spec's mistake has no line, it gets `declaredAt`. */
export function suiteErrorOf(error: unknown, declaredAt?: SpecLine): SuiteError {
  if (error instanceof SpecMistake) return error.at(declaredAt);
  if (error instanceof SuiteError) return error;
  const isError = error instanceof Error;
  // Removes the colours that `expect` puts into its messages.
  const text = stripVTControlCharacters(isError ? `${error.name}: ${error.message}` : inspect(error));
  const line = isError ? specLineOf(error.stack) : declaredAt;
  // The suite itself throws only instances of `Error`. So if the thrown value is no `Error`, the spec threw it.
  if (!isError || teamLineOf(error.stack)) return threwError(text, line).at(declaredAt);
  return new SuiteFault(`a bug in Sextant${line ? `, at ${lineText(line)}` : ''}: ${text}`);
}

type Ending = Pick<SuiteError, 'failure' | 'exchange' | 'lacks'>;

/**
 * The failure that an error describes, with details that the error itself lacks: whether clean-up threw it, which credential was refused,
 * and which earlier change explains an unexpected list.
 */
function endingOf({ environment, declaredAt, exchanges }: Played, { error: thrown, isCleanUp }: Closed): Ending {
  const error = suiteErrorOf(thrown, declaredAt);
  const { failure, exchange, lacks } = error;
  const friend = environment.friend.userId;
  const isFriend = exchange?.request.headers['mm-user-id'] === friend;
  const more: { -readonly [K in keyof Failure]?: Failure[K] } = {};
  if (isCleanUp && !leavesOut(error)) more.merely = 'clean-up';
  const unaccepted = unacceptedIn(error, environment);
  if (unaccepted) more.unaccepted = unaccepted;
  if (exchange && failure.verdict === 'refused') {
    if (!failure.frontDoor) more.credential = credentialOf(exchange, environment);
  } else if (exchange) {
    const calls = (error instanceof ExpectationError ? error.calls : undefined) ?? exchanges;
    const isOfList = failure.category === 'failed' && !failure.needs;
    const unseen = isOfList ? unseenChange(exchange, calls, environment.successWhen) : undefined;
    const given = configuredIn(environment, parsedJson(exchange.request.body ?? ''));
    if (given.length > 0) more.given = given.map(({ key, value }) => `${key}=${value}`).join(', ');
    if (unseen) more.unseen = { change: unseen.operation, list: exchange.operation };
    if (isFriend || unseen?.madeBy === friend) more.isFriends = true;
    if (unseen?.stranger && unseen.madeBy === friend) more.stranger = unseen.stranger;
  }
  return { failure: { ...failure, ...more }, ...(exchange ? { exchange } : {}), ...(lacks ? { lacks } : {}) };
}

const places = { 'clean-up': 'in clean-up: ', 'not tried': 'not tried: ' } as const;

function verdictOf({ failure, exchange, lacks }: Ending): RunVerdict {
  const { verdict, category, grade, reason, merely } = failure;
  const isOurs = !exchange && merely !== 'not tried' && (category === 'suite-fault' || category === 'unknown');
  return {
    verdict,
    ...(grade ? { grade } : {}),
    reason: `${merely ? places[merely] : ''}${isOurs ? couldNotJudge(reason) : reason}`,
    ...(exchange ? { failing: exchange } : {}),
    failures: [failure],
    ...(category === 'unproven' ? { unproven: true } : {}),
    ...(lacks ? { lacks } : {}),
  };
}

function couldNotJudge(why: string): string {
  return `the suite could not judge: ${excerpt(why, 700)}`;
}

/**
 * The verdict on a scenario that was stopped. A failure from before the stop decides the verdict. So does a call that timed out, if no call
 * had a response. The stop itself is no failure of the service, because the scenario's time limit doesn't include the time of calls.
 */
export function verdictOfStopped(error: unknown, made: readonly Exchange[], { usedUp, signal }: Stopped): RunVerdict {
  if (error instanceof ExpectationError && error.exchange.failure?.code !== 'ABORTED') return verdictOf(error);
  const isTimeUp = isOutOfTime(signal);
  const silence = usedUp !== undefined || isTimeUp ? silenceIn(made) : undefined;
  if (silence) return verdictOf(silence);
  if (usedUp === undefined && isTimeUp) return outOfTime('cut short');
  const reason = usedUp === undefined ? STOPPED : couldNotJudge(`the scenario had not ended after ${usedUp}`);
  return { verdict: 'unknown', reason, failures: [{ verdict: 'unknown', category: 'unknown', reason }] };
}

/** The failure of a call that timed out, which the spec may have caught. `undefined` if any call had a response. */
function silenceIn(made: readonly Exchange[]): ExpectationError | undefined {
  const waited = made.find(({ failure }) => failure?.code === 'DEADLINE');
  const shortfall =
    waited && !made.some(({ response }) => response) && outcomeOf(waited, undefined).shortfall('success');
  return waited && shortfall ? new ExpectationError(waited, shortfall) : undefined;
}

export function pace(exchanges: readonly Exchange[], slowAfterMs: number): RunVerdict {
  // Time spent on an unreachable IP address does not count as slowness of the service.
  const ownMs = ({ durationMs, silentAddresses }: Exchange) => durationMs - (silentAddresses?.ms ?? 0);
  const [slowest] = exchanges.toSorted((a, b) => ownMs(b) - ownMs(a));
  if (!slowest || ownMs(slowest) <= slowAfterMs) return { verdict: 'passed' };
  return {
    verdict: 'slow',
    reason: `${slowest.operation} took ${Math.round(ownMs(slowest))} ms, more than SLOW_AFTER_MS=${slowAfterMs}`,
  };
}

/** Kinds of notes that become warnings with every setting of DRIFT. */
const alwaysShown: ReadonlySet<Note['kind']> = new Set(['new', 'unlisted', 'sent', 'start']);

function warningsOf({ environment, exchanges, startedAt, notes }: Played, made: readonly Exchange[]): string[] {
  const isWarning = environment.drift === 'warn';
  return [
    ...certificateWarnings(certificatesOf(exchanges, startedAt), environment.certificateWarningDays),
    ...notes.flatMap(({ kind, text, drift }) =>
      alwaysShown.has(kind) ? text : isWarning && drift ? drift.sentence : [],
    ),
    ...connectionWarnings(made),
  ];
}

/** Warnings about unusual connection behaviour, which breaks no expectation. */
function connectionWarnings(exchanges: readonly Exchange[]): string[] {
  const all = exchanges.flatMap((exchange) => {
    const {
      operation,
      request,
      response,
      sentAgain,
      onOwnConnection,
      hasStrayBody,
      silentAddresses: silent,
    } = exchange;
    return [
      ...(sentAgain ? [`${operation}: retried, because the service closed the connection`] : []),
      ...(onOwnConnection
        ? [
            `${new URL(request.url).origin} closes connections that it should keep open, so each change is sent on a new one`,
          ]
        : []),
      ...(hasStrayBody ? [`${operation}: ${response?.status} with a body, which HTTP forbids`] : []),
      ...(silent ? [`${operation}: ${silenceText(silent)}`] : []),
    ];
  });
  return [...new Set(all)];
}

function silenceText({ ms, addresses }: NonNullable<Exchange['silentAddresses']>): string {
  return `${grouped(Math.round(ms))} ms of the call were spent on ${addresses.map(bracketed).join(', ')}, which doesn’t respond`;
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** Applies the quarantine list to a result; `now` in ms. */
export function afterQuarantine(
  result: ScenarioResult,
  entries: readonly Quarantined[],
  environment: string,
  now: number,
): ScenarioResult {
  const found = quarantineOf(entries, environment, result.title, now);
  const { ran, isRed } = verdicts[result.verdict];
  if (!found || !ran) return result;
  const { entry, isOver } = found;
  const over = overText(entry);
  const text = quarantineText(entry);
  if (!isRed && isOver) return { ...result, verdict: 'unknown', reason: `it passed, but ${over}` };
  if (!isRed) return { ...result, warnings: [...(result.warnings ?? []), `passed, although ${text}`] };
  if (isOver) return { ...result, reason: `${result.reason}; ${over}`, quarantineOver: over };
  const reason = `${text} — ${result.verdict}: ${result.reason}`;
  return { ...result, verdict: 'skipped', quarantined: true, reason };
}
