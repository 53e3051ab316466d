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
import { type CallableId, callableIds } from '../../spec/index.ts';

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
  /** The first line of what was said. */
  readonly text: string;
}

interface FailingCall {
  readonly operation: CallableId;
  /** Scheme, host and port. */
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
  const call = isCallable(operation) && {
    operation,
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

function isCallable(name: string): name is CallableId {
  return callableIds.includes(name as CallableId);
}

const marked = new WeakSet<object>();

/** Remembers that errors came from the clean-up of a scenario. */
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
