import { isDeepStrictEqual } from 'node:util';
import {
  type Exchange,
  type HttpResponse,
  header,
  isJsonType,
  isUnconnected,
  leaves,
  retryAfterText,
  throttlingOf,
  valueAt,
} from '../http/index.ts';
import { type CallableId, callable } from '../service/index.ts';
import type { Failure } from './failure.ts';
import { frontDoorOf } from './front-door.ts';
import type { Claim } from './grade.ts';
import type { SuccessRule } from './service-under-test.ts';
import type { Verdict } from './verdicts.ts';

/**
 * An expected outcome. success: the service carries the request out · refusal: it rejects the request · decided: either of the two ·
 * settled: any response but a 5xx · handled: settled, and the response is readable, without a stack trace or a credential.
 */
export type Expected = 'success' | 'refusal' | 'decided' | 'settled' | 'handled';

/** How an exchange falls short of a claim. */
export interface Shortfall
  extends Pick<Failure, 'ending' | 'isInvalid' | 'sentence' | 'needs' | 'unseen' | 'drift' | 'frontDoor'> {
  readonly verdict: Extract<Verdict, 'failed' | 'drifted' | 'refused' | 'unreachable' | 'unknown'>;
  readonly claim: Claim;
  readonly observed: string;
}

/** The text of `ending` (how an operation fails) for an operation that accepts a request that it must refuse. */
export const ACCEPTS = 'accepts what it must refuse';

const common: Readonly<Record<Expected, Claim>> = {
  success: 'assumed: expected success (2xx)',
  refusal: 'assumed: expected a rejection (4xx)',
  decided: 'assumed: expected acceptance (2xx) or a rejection (4xx)',
  settled: 'assumed: expected anything but a server error (5xx)',
  handled: 'assumed: expected a readable response to invalid input, without a 5xx, a stack trace or a credential',
};

/**
 * The expectation that is broken by a 429, and by a proxy or firewall that responds instead of the service. Both come before validation, so
 * they say nothing about the request.
 */
const DECISION: Claim = 'assumed: expected a decision on the request';

/** How an exchange ended. `outcomeOf` decides this once for each exchange. */
export interface ResponseOutcome extends ReturnType<typeof decided> {
  /** How the exchange falls short of `expected`, if it does. `claim` replaces the usual claim of HTTP common sense. */
  readonly shortfall: (expected: Expected, claim?: Claim) => Shortfall | undefined;
}

const outcomes = new WeakMap<Exchange, ResponseOutcome>();

/** Decides how an exchange ended, once for each exchange. `rule` is the value of SUCCESS_WHEN. */
export function outcomeOf(exchange: Exchange, rule: SuccessRule | undefined): ResponseOutcome {
  const known = outcomes.get(exchange);
  if (known && known.rule === rule) return known;
  const all = decided(exchange, rule);
  const outcome = { ...all, shortfall: (...of: [Expected, Claim?]) => shortfallOf(exchange, all, ...of) };
  outcomes.set(exchange, outcome);
  return outcome;
}

function decided(exchange: Exchange, rule: SuccessRule | undefined) {
  const { operation, response, failure, tampered } = exchange;
  const status = response?.status ?? 0;
  const door = frontDoorOf(response);
  const unmet = response && shortOfSuccess(operation, response, rule);
  const isThrottled = throttlingOf(exchange) === 'throttled';
  // False if the service has not read the request: a challenge or a rate limit came first.
  const isLookedAt = response !== undefined && door?.kind !== 'challenge' && !isThrottled;
  const isClientError = status >= 400 && status < 500;
  const isAccepted = isLookedAt && unmet === undefined;
  const isRefusal = isLookedAt && (isClientError || (rule !== undefined && status < 300 && unmet !== undefined));
  // If `door` is absent, no proxy or firewall responded, so the service itself judged the credentials. After a 401 another credential may
  // help, after a 403 no other credential helps.
  const ofCredentials = status === 401 ? 'unknown' : status === 403 ? 'forbidden' : undefined;
  const refusesCredential = door ? undefined : ofCredentials;
  const json = status >= 200 && status < 300 ? response?.body.json : undefined;
  const signal = rule && json?.ok ? valueAt(json.value, rule.pointer) : undefined;
  // 408 means that the request came too slowly. The service may have carried it out in part.
  const isRejected = isClientError ? status !== 408 : signal !== undefined && !isDeepStrictEqual(signal, rule?.value);
  return {
    ...{ rule, status, door, isThrottled, refusesCredential },
    /** The reason why the response is no success, in words that follow its status; empty if the status itself is the reason. */
    unmet,
    /** The service carried the request out: 2xx (or SUCCESS_WHEN), and a body, if any, is JSON. */
    isAccepted,
    /** The response says that the request was not carried out: 4xx (or SUCCESS_WHEN unmet), for any reason. */
    isRefusal,
    /** The service itself refused the request, for a reason other than its credentials. */
    isPlainRefusal: isRefusal && !door && !refusesCredential,
    /** A list was not found. Some services respond like this while the list has no entries. */
    isNoEntries: callable(operation).isPaged === true && status === 404,
    /** The service carried the request out. If a drill changed the response, only `tampered` shows this. */
    isDone: tampered ? tampered === 'done' : isAccepted,
    /**
     * A change was certainly not made: the service rejected it (4xx except 408, or a body that says so), or it never reached the service.
     */
    hadNoEffect: tampered === 'not sent' || isRejected || isUnconnected({ failure }),
    /** If the request was an undo: there was nothing to undo, because the target is missing or not in the state that the undo ends. */
    foundNothing: [404, 409, 410].includes(status),
  };
}

/**
 * How an exchange falls short of what was expected; `undefined` if it doesn't. A server error or a refused credential breaks the
 * expectation of HTTP common sense and not `claim`. Exception: if only a response without a server error is expected (`settled`), a server
 * error breaks `claim`.
 */
function shortfallOf(
  exchange: Exchange,
  outcome: ReturnType<typeof decided>,
  expected: Expected,
  claim?: Claim,
): Shortfall | undefined {
  const { response, failure } = exchange;
  const { rule, door, isThrottled, refusesCredential } = outcome;
  const ruled: Claim = rule ? `assumed: expected success (2xx with ${rule.text}, SUCCESS_WHEN)` : common.success;
  // A server error breaks the claim `common.settled`, whatever outcome was expected.
  const usual = outcome.status >= 500 ? common.settled : expected === 'success' ? ruled : common[expected];
  if (!response) {
    const { phase = 'processing', side = 'ours', reason = 'no response' } = failure ?? {};
    const verdict = side === 'ours' ? 'unknown' : 'unreachable';
    return { verdict, claim: 'assumed: the service responds', observed: `${verdict} in ${phase}: ${reason}` };
  }
  const { status } = response;
  const ofDoor = door && { claim: DECISION, observed: statusLine(response), sentence: door.says, frontDoor: door.cure };
  if (ofDoor && door.kind === 'challenge') return { verdict: 'unknown', ...ofDoor };
  if (isThrottled)
    return {
      verdict: 'unknown',
      claim: DECISION,
      observed: `429: throttled${retryAfterSuffix(response)}`,
      ending: 'answers 429',
    };
  const problem = problemOf(exchange, response, outcome, expected);
  if (problem === undefined) return undefined;
  // A gateway may refuse invalid input or a wrong credential on behalf of the service. It must not refuse a valid request.
  if (ofDoor && expected === 'success') return { verdict: 'refused', ...ofDoor };
  const isCredentials = expected === 'success' && refusesCredential !== undefined;
  return {
    verdict: isCredentials ? 'refused' : 'failed',
    claim: claim && !isCredentials && (status < 500 || expected === 'settled') ? claim : usual,
    observed: `${statusLine(response)}${problem}${status >= 500 ? retryAfterSuffix(response) : ''}`,
    ending: problem === ACCEPTED ? ACCEPTS : `answers ${status}${problem}`,
    ...(expected === 'handled' ? { isInvalid: true } : {}),
  };
}

const ACCEPTED = ': it was accepted';

/** The problem with a response, in words that follow its status. Empty if the status itself is the problem. */
function problemOf(
  exchange: Exchange,
  response: HttpResponse,
  { unmet, isRefusal }: Pick<ResponseOutcome, 'unmet' | 'isRefusal'>,
  expected: Expected,
): string | undefined {
  if (response.status >= 500) return '';
  if (expected === 'settled') return undefined;
  if (expected === 'handled') return mishandling(exchange, response);
  if (expected === 'success' || (expected === 'decided' && unmet === undefined)) return unmet;
  return isRefusal ? undefined : (unmet ?? ACCEPTED);
}

function shortOfSuccess(
  operation: CallableId,
  response: HttpResponse,
  rule: SuccessRule | undefined,
): string | undefined {
  const { status } = response;
  const to = header(response, 'location');
  if (status >= 300 && status < 400 && to) return `, to ${to} (redirects are not followed)`;
  if (status < 200 || status >= 300) return '';
  const { json } = response.body;
  if (rule) {
    const found = json.ok ? valueAt(json.value, rule.pointer) : undefined;
    return isDeepStrictEqual(found, rule.value) ? undefined : `, and ${rule.pointer} is ${shown(found)}`;
  }
  // A change may return an empty body; a read must not, except that a list without entries may be 204.
  const { effect, isPaged } = callable(operation);
  const mayBeEmpty = effect !== 'read' || (isPaged && status === 204);
  if (!json.ok && json.problem === 'empty') return mayBeEmpty ? undefined : ', but there is no body';
  const type = header(response, 'content-type');
  if (!json.ok && isHtml(type, response.body.text)) return ', but the body is HTML, not JSON: a login page?';
  if (!json.ok) return `, but the body is ${json.problem}`;
  return type === undefined || isJsonType(type) ? undefined : `, but its content type is ${type}`;
}

/** Whether a body is an HTML page. A proxy, a captive portal or a login responds with such a page, usually with status 200. */
export function isHtml(contentType: string | undefined, text: string): boolean {
  return /^(text\/html|application\/xhtml)/i.test(contentType ?? '') || /^\s*<(!doctype|html)/i.test(text);
}

function statusLine({ status, statusText }: HttpResponse): string {
  return `${status} ${statusText}`.trim();
}

/** A value in words. Lists and objects are not printed, because they may be nested too deeply. */
function shown(value: unknown): string {
  if (value === undefined) return 'absent';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

function retryAfterSuffix(response: HttpResponse): string {
  const after = header(response, 'retry-after');
  return after === undefined ? '' : `, retry after ${retryAfterText(after)}`;
}

/** Stack trace lines of JavaScript, Python, Java and other JVM languages, .NET, Go, Ruby, PHP. */
const traceLines = [
  /\bat [^\n]{0,200}\([^()\n]*:\d+(:\d+)?\)/,
  /\bat (file:|node:|\/)[^\s"]*:\d+:\d+/,
  /Traceback \(most recent call last\)/,
  /File \\?"[^"\n]+\\?", line \d+/,
  /\bat [\w.$<>]+\([^()\n]*\) in [^\n]*:line \d+/,
  /\bgoroutine \d+ \[/,
  /\.rb:\d+:in [`']/,
  /#\d+ [^\n]*\.php\(\d+\)/,
];

/** The problem with a response to invalid input; `undefined` if the service handled the input. The caller has already judged a 5xx. */
export function mishandling(
  { echoedSecret }: Pick<Exchange, 'echoedSecret'>,
  response: HttpResponse,
): string | undefined {
  const { json, text } = response.body;
  if (echoedSecret) return ', and the response repeats a credential of the caller';
  const shownText =
    json.ok && typeof json.value === 'object' ? text.replaceAll('\\n', '\n').replaceAll('\\t', '\t') : text;
  if (traceLines.some((pattern) => pattern.test(shownText))) return ', and the response shows a stack trace';
  // The specification shows no error bodies, so a rejection may be text or HTML. A body that is declared as JSON must be JSON.
  const mustBeJson = response.status < 300 || isJsonType(header(response, 'content-type'));
  // A body that can't be decompressed is always broken.
  const tolerated = mustBeJson ? ['empty'] : ['empty', 'not valid JSON', 'not UTF-8'];
  const isUnreadable = !json.ok && !tolerated.includes(json.problem);
  return isUnreadable ? `, and its body is ${json.problem}` : undefined;
}

/** The kind of a refusal as a text: its status, and the value at the pointer of SUCCESS_WHEN. */
export function refusalKind({ response }: Exchange, rule: SuccessRule | undefined): string {
  const json = response?.body.json;
  return JSON.stringify([response?.status, rule && json?.ok ? shown(valueAt(json.value, rule.pointer)) : null]);
}

/**
 * Whether a service refuses two requests for the same reason, as far as its responses show: the same status, and in the body the same short
 * numbers, booleans and words. Other texts with digits are ignored, because ids and times always differ.
 */
export function refusedAlike(a: Exchange, b: Exchange): boolean {
  return reasonOf(a) === reasonOf(b);
}

function reasonOf({ response }: Exchange): string {
  const { json, text = '' } = response?.body ?? {};
  const said = json?.ok ? [...leaves(json.value)] : [{ path: [], text, isKey: false }];
  const words = said
    .filter((leaf) => !leaf.isKey && (/^(\d{1,6}|true|false)$/.test(leaf.text) || !/\d/.test(leaf.text)))
    .map((leaf) => `${leaf.path.join('/')}=${leaf.text}`);
  return JSON.stringify([response?.status, ...words.sort()]);
}
