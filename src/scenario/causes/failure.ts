import { stripVTControlCharacters } from 'node:util';
import {
  curlLine,
  type Exchange,
  gradeOf,
  type SpecLine,
  specLineOf,
  type Verdict,
  verdictOfBroken,
  verdicts,
} from '../../client/index.ts';
import {
  type AreaId,
  type CallableId,
  callableIds,
  type OperationId,
  operation,
  operations,
  readProfile,
} from '../../spec/index.ts';

/** The beginning of every text about a failure that came from clean-up, in both runners. */
export const IN_CLEAN_UP = 'in clean-up: ';

export interface Failure {
  readonly verdict: Verdict;
  /** The broken claim with its grade, and what was observed instead. */
  readonly claim?: string;
  readonly observed?: string;
  readonly call?: FailingCall;
  /** The test itself may be fine: its clean-up failed, or it was not tried for what failed before. */
  readonly merely?: 'clean-up' | 'not tried';
  /** The call to repeat, with masked credentials. */
  readonly curl?: string;
  readonly text: string;
}

interface FailingCall {
  readonly operation: CallableId;
  readonly origin: string;
  readonly status?: number;
  /** In place of a response. */
  readonly failure?: { readonly phase: string; readonly reason: string };
}

/** A failure of the in-process runner, whose `reason` is `claim — observed`, or why the suite could not judge. */
export function failureOfReason(verdict: Verdict, reason: string, failing?: Exchange): Failure {
  const [text, merely] = withoutPlace(reason);
  const call = failing && {
    operation: failing.operation,
    origin: new URL(failing.request.url).origin,
    ...(failing.response ? { status: failing.response.status } : {}),
    ...(failing.failure ? { failure: { phase: failing.failure.phase, reason: failing.failure.reason } } : {}),
  };
  return {
    verdict,
    ...claimed(text),
    ...(call ? { call } : {}),
    ...merely,
    ...(failing ? { curl: curlLine(failing.request) } : {}),
    text,
  };
}

const NOT_TRIED = 'not tried: ';
const REQUEST = /^\s*(\w+): [A-Z]+ (https?:\/\/\S+)$/m;
const RESPONSE = /^\s*([1-5]\d\d) (?:no content type|[\w.+-]+\/[\w.+-]+) {2}/m;

/** A failure of a test under Playwright, from the text of its error: names of errors are verdicts or kinds of suite errors. */
export function failureOfMessage(message: string): Failure {
  const plain = stripVTControlCharacters(message).trim();
  const [, name = '', rest = ''] = /^(?:Error: )?(?:([A-Z]\w+): )?(.*)$/s.exec(plain) ?? [];
  const [text, merely] = withoutPlace(rest);
  const lines = text.split('\n').map((line) => line.trim());
  const at = lines.findIndex((line) => gradeOf(line));
  const stated = lines[at] ?? '';
  const found = claimed(
    stated.includes(' — ') ? stated : [stated, lines.slice(at + 1).find((line) => line) ?? ''].join(' — '),
  );
  const [, operation = '', url = ''] = REQUEST.exec(text) ?? [];
  const status = RESPONSE.exec(text)?.[1];
  const [, phase = '', reason = ''] = /^un\w+ in (\w+): (.*)$/.exec(found.observed ?? '') ?? [];
  const call = callableIds.includes(operation as CallableId) && {
    operation: operation as CallableId,
    origin: new URL(url).origin,
    ...(status ? { status: Number(status) } : {}),
    ...(phase ? { failure: { phase, reason } } : {}),
  };
  const verdict = verdictNamed(name) ?? (found.claim ? verdictOfBroken(gradeOf(found.claim) ?? 'assumed') : 'unknown');
  const curl = lines.find((line) => line.startsWith('curl '));
  return { verdict, ...found, ...(call ? { call } : {}), ...merely, ...(curl ? { curl } : {}), text: lines[0] ?? '' };
}

function withoutPlace(text: string): [text: string, place: Pick<Failure, 'merely'>] {
  if (text.startsWith(IN_CLEAN_UP)) return [text.slice(IN_CLEAN_UP.length), { merely: 'clean-up' }];
  if (text.startsWith(NOT_TRIED)) return [text.slice(NOT_TRIED.length), { merely: 'not tried' }];
  return [text, {}];
}

function claimed(text: string): Pick<Failure, 'claim' | 'observed'> {
  if (!gradeOf(text)) return {};
  const end = text.indexOf(' — ');
  return end < 0 ? { claim: text } : { claim: text.slice(0, end), observed: text.slice(end + 3) };
}

function verdictNamed(name: string): Verdict | undefined {
  const verdict = name.toLowerCase();
  if (verdict in verdicts) return verdict as Verdict;
  return name === 'NotTried' ? 'refused' : undefined;
}

const marked = new WeakSet<object>();

export function markCleanUp(errors: readonly unknown[]): void {
  for (const error of errors) if (error instanceof Error) marked.add(error);
}

export function isFromCleanUp(error: unknown): boolean {
  return error instanceof Error && marked.has(error);
}

/** An error that came from clean-up says so, and points at its scenario: `declaredAt`. */
export function withPlace(error: unknown, declaredAt: SpecLine): unknown {
  if (!(error instanceof Error) || !isFromCleanUp(error)) return error;
  const { file, line, column = 1 } = specLineOf(error.stack) ?? declaredAt;
  error.message = `${IN_CLEAN_UP}${error.message}`;
  error.stack = `${error.name}: ${error.message}\n    at ${file}:${line}:${column}`;
  return error;
}

/** What a failure is put down to: failures with one `key` have one cause. */
export interface Description {
  readonly key: string;
  /** The area that fell short; absent where nothing was called. */
  readonly area?: AreaId;
  readonly operation?: CallableId;
  /** The sentence without its area: `unblock answers 500`. */
  readonly says: string;
  /** How the call ended, where every operation of an area may end so: `answers 502`. */
  readonly ending?: string;
  /** What it would have needed: an operation that undoes, or credentials that are accepted. */
  readonly needs?: CallableId | 'credentials';
}

/** Doubts about a scenario that starts with what another one left behind contain it, after the change. */
export const LEFT_BEHIND = 'left behind by another scenario';

/** Ends what refuses them: an area has one set for all its operations. */
export const TO_CREDENTIALS = ' to our credentials';

/** Describes a failure for people; ids, counts and times are left out of the key. */
export function describeFailure(failure: Failure): Description {
  const { verdict, observed = '', text, call } = failure;
  if (!call) {
    const needs = failure.merely === 'not tried' && verdict === 'refused' ? ({ needs: 'credentials' } as const) : {};
    // A mistake of a spec is one for each of its lines.
    const [place = ''] = /^\S+:\d+: /.exec(text) ?? [];
    return { key: `text ${place}${generic(text)}`, says: text, ...needs };
  }
  const { area } = isOperation(call.operation) ? operation(call.operation) : readProfile;
  const [, change = ''] = new RegExp(`; (\\w+) \\{.*${LEFT_BEHIND}`).exec(observed) ?? [];
  const needs = isOperation(change) ? operation(change).undo : undefined;
  return { area, ...(needs ? { needs: needs as OperationId } : {}), ...describeCall({ ...failure, call }) };
}

type Called = Failure & { readonly call: FailingCall };

function describeCall({ verdict, claim = '', observed = '', call }: Called): Description {
  const { operation, origin, status, failure = { phase: '', reason: 'no response' } } = call;
  const ended = (ending: string, about = ending): Description => ({
    key: `${operation} ${generic(about)}`,
    operation,
    says: `${operation} ${ending}`,
  });
  const words = `“${claim.replace(/^\w+: /, '')}”`;
  if (status === undefined) {
    const { phase, reason } = failure;
    const says = `no connection to ${origin} (${phase}): ${reason}`;
    if (['dns', 'connect', 'tls'].includes(phase)) return { key: says, says };
    const ending = `gives no usable response: ${reason}`;
    return { ...ended(ending), ending };
  }
  if (verdict === 'refused') {
    const ending = `answers ${status}${TO_CREDENTIALS}`;
    return { ...ended(ending), ending };
  }
  if (status >= 500) return { ...ended(`answers ${status}`), ending: `answers ${status}` };
  if (!observed.startsWith(`${status}`)) return ended(`breaks ${words}`, observed);
  if (observed.endsWith(': it was accepted')) return ended(`accepts what it must refuse: ${words}`, 'accepts');
  // After a status and its name: ", but the body is not valid JSON".
  const [, detail = ''] = /^\d{3}[^,:(]*([,:] [^(]*)?/.exec(observed) ?? [];
  return ended(`answers ${status}${detail.trimEnd()}`);
}

function isOperation(name: string): name is OperationId {
  return name in operations;
}

/** Without what differs from test to test: quoted values, ids, counts, times; a status stays. */
function generic(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/\(after [^)]*\)/g, '')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gi, '…')
    .replace(/\bentry\b/, 'entries')
    .replace(/(?<!answers )\d[\d,.]*/g, 'N')
    .trim();
}
