import { inspect } from 'node:util';
import {
  ApiResponse,
  type Category,
  categoryOfBroken,
  curlLine,
  type Exchange,
  ExpectationError,
  excerpt,
  type Grade,
  gradeOf,
  inside,
  isExpectError,
  isThrownBySpec,
  lineText,
  type SpecLine,
  SpecMistake,
  SuiteError,
  SuiteFault,
  sentenceOf,
  specLineOf,
  threwError,
  UnjudgedCall,
  Unproven,
  type Verdict,
  verdictOfCategory,
  verdicts,
} from '../../client/index.ts';
import { NoItemLeft } from '../../scenario/index.ts';
import type { CallableId } from '../../spec/index.ts';
import { type CredentialKey, NotTried, type Refused } from '../safety/index.ts';

/** One thing that kept a scenario from passing, without what only this process can use: reporters read it as JSON. */
export interface Failure {
  readonly verdict: Verdict;
  /** Its category in the report. */
  readonly category: Category;
  /** The grade of the expectation that broke; absent when none did. */
  readonly grade?: Grade;
  /** The expectation in words, without its grade, and what was observed instead. */
  readonly claim?: string;
  readonly observed?: string;
  /** The failure in one sentence, where claim and observation would read badly side by side. */
  readonly sentence?: string;
  /** Both in one sentence, or why the suite could not judge. */
  readonly reason: string;
  readonly call?: FailedCall;
  /** The test itself may be fine: its clean-up failed, or it was not tried for what failed before. */
  readonly merely?: 'clean-up' | 'not tried';
  /** The key of the credential that was refused. */
  readonly credential?: CredentialKey;
  /** The refusals of that credential, where the scenario was not tried because of them. */
  readonly refused?: Refused;
  /** What it would have needed: an operation that undoes, or a credential that is accepted. */
  readonly needs?: CallableId | 'credentials';
  /** A change that was accepted and that a list doesn't show: it broke, and not the list. */
  readonly unseen?: { readonly change: CallableId; readonly list: CallableId };
  /** The friend sent the failing call or the change. */
  readonly isFriends?: true;
  /** The user that the service seems to take the friend for. */
  readonly stranger?: string;
  /** The reason without the parts that differ each time, such as a quoted response; absent if the reason has none. */
  readonly gist?: string;
}

/** The call that broke an expectation. */
export interface FailedCall {
  readonly operation: CallableId;
  readonly origin: string;
  readonly status?: number;
  /** The beginning of the response's body. */
  readonly body?: string;
  /** In place of a response. */
  readonly failure?: { readonly phase: string; readonly reason: string };
  /** The request to repeat, with masked credentials. */
  readonly curl?: string;
}

/** The address is given up: what needs it has its failure without being tried. */
export class AddressDown extends Error {
  override readonly name = 'AddressDown';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.reason);
    this.failure = failure;
  }
}

/** What ended a scenario: for reports, and what only the run itself can use. */
export interface Ending {
  readonly failure: Failure;
  readonly exchange?: Exchange;
  /** The suite is what failed, so that the scenario's reason says that first. */
  readonly isOurs?: true;
  readonly lacksData?: true;
  readonly fault?: 'provisioner';
}

/** How reasons begin where the test itself may be fine. */
export const IN_CLEAN_UP = 'in clean-up: ';
export const NOT_TRIED = 'not tried: ';

/** Whether what a body threw leaves its scenario out: something is lacking, or nothing was proved. */
export function isLeftOutBy(error: unknown): boolean {
  return error !== undefined && !verdicts[endingOf(error, []).failure.verdict].ran;
}

/** How much of a response's body a failure keeps, in characters. */
const BODY = 300;

/** What an error says of its scenario, whose exchanges are `made`. Where `declaredAt` is known, a mistake without a line of its own is there. */
export function endingOf(error: unknown, made: readonly Exchange[], declaredAt?: SpecLine): Ending {
  if (error instanceof ExpectationError) {
    const { category, grade, claim, observed, sentence, exchange, needs, unseenIn } = error;
    const verdict = verdictOfCategory(category);
    return broken({ verdict, category, grade, claim, observed, sentence, exchange, needs, unseenIn });
  }
  if (isExpectError(error)) {
    const [claim = ''] = error.message.split('\n');
    const { actual, message } = error.matcherResult;
    const [observed = ''] = message.split('\n');
    const isResponse = actual instanceof ApiResponse;
    if (isResponse && inside(actual).lacksEvidence) return stated(new Unproven(observed));
    const grade = gradeOf(claim) ?? 'assumed';
    const category = categoryOfBroken(grade);
    const exchange = isResponse ? inside(actual).exchange : made.at(-1);
    return broken({ verdict: verdictOfCategory(category), category, grade, claim, observed, exchange });
  }
  if (error instanceof SpecMistake) {
    const mistakes = error.at(declaredAt).message.split('\n');
    return unjudged('spec-mistake', mistakes.map((each) => excerpt(each, 700)).join(' · '));
  }
  if (error instanceof AddressDown) return { failure: { ...error.failure, merely: 'not tried' } };
  if (error instanceof UnjudgedCall) return unjudged('unjudged', excerpt(error.message, 700));
  if (error instanceof SuiteError) return stated(error);
  const isError = error instanceof Error;
  const line = isError ? specLineOf(error.stack) : declaredAt;
  // The suite throws errors alone.
  if (!isError || isThrownBySpec(error.stack)) return endingOf(threwError(textOf(error), line), made, declaredAt);
  const at = line ? `, at ${lineText(line)}` : '';
  return { ...unjudged('unknown', excerpt(`a bug in Sextant${at}: ${textOf(error)}`, 300)), isOurs: true };
}

interface Broken extends Required<Pick<Failure, 'verdict' | 'category' | 'grade' | 'claim' | 'observed'>> {
  readonly sentence?: string | undefined;
  readonly exchange: Exchange | undefined;
  readonly needs?: CallableId | undefined;
  readonly unseenIn?: CallableId | undefined;
}

function broken({ verdict, category, grade, exchange, sentence, needs, unseenIn, ...said }: Broken): Ending {
  const claim = excerpt(withoutGrade(said.claim), 300);
  const observed = excerpt(said.observed, 300);
  const failure = {
    ...{ verdict, category, grade, claim, observed },
    reason: sentence ? `${sentence} (${observed})` : sentenceOf(claim, observed),
    ...(sentence ? { sentence } : {}),
    ...(exchange ? { call: callOf(exchange) } : {}),
    ...(needs ? { needs } : {}),
    ...(exchange && unseenIn ? { unseen: { change: exchange.operation, list: unseenIn } } : {}),
  };
  return { failure, ...(exchange ? { exchange } : {}) };
}

function withoutGrade(claim: string): string {
  const grade = gradeOf(claim);
  return grade ? claim.slice(grade.length + 2) : claim;
}

export function callOf({ operation, request, response, failure }: Exchange): FailedCall {
  return {
    operation,
    origin: new URL(request.url).origin,
    ...(response ? { status: response.status, body: response.body.text.slice(0, BODY) } : {}),
    ...(failure ? { failure: { phase: failure.phase, reason: failure.reason } } : {}),
    curl: curlLine(request),
  };
}

function stated(error: SuiteError): Ending {
  const { category, message } = error;
  const verdict = verdictOfCategory(category);
  const { ran, exitCode } = verdicts[verdict];
  if (!ran) {
    const gist = error instanceof Unproven && error.gist !== message ? { gist: error.gist } : {};
    return { failure: { verdict, category, reason: message, ...gist } };
  }
  // The calls before it showed that the service falls short: a credential was refused in them.
  if (exitCode === 1) {
    const common = { verdict, category, grade: 'assumed' } as const;
    if (!(error instanceof NotTried)) return { failure: { ...common, reason: excerpt(message, 300) } };
    return {
      failure: {
        ...common,
        reason: excerpt(error.why, 300),
        merely: 'not tried',
        needs: 'credentials',
        credential: error.credential,
        refused: error.refused,
      },
    };
  }
  const fault = error instanceof SuiteFault && error.outside ? { fault: error.outside } : {};
  const lacksData = error instanceof NoItemLeft ? { lacksData: true as const } : {};
  return { ...unjudged(category, excerpt(message, 300)), isOurs: true, ...fault, ...lacksData };
}

function unjudged(category: Category, reason: string): Ending {
  return { failure: { verdict: 'unknown', category, reason } };
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : inspect(error);
}

export function couldNotJudge(why: string): string {
  return `the suite could not judge: ${excerpt(why, 300)}`;
}
