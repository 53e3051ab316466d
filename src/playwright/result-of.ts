import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { fileRoles, readText } from '../environment/files/index.ts';
import { parsedJson } from '../http/index.ts';
import {
  type Failure,
  namedReason,
  outcomeOfResult,
  outcomeOfVerdict,
  RESULT_TYPE,
  type ResultDocument,
  type TestOutcome,
} from '../run/ending/index.ts';
import { readTags } from '../scenario/index.ts';
import type { AreaId, Effect } from '../service/index.ts';
import { SpecMistake, specLineOf, verdicts } from '../verdict/index.ts';

/**
 * Allure's content type of an HTTP exchange. Repeated here, because the command line also loads this module, and shouldn't load Allure's
 * library for one string.
 */
const HTTP_EXCHANGE = 'application/vnd.allure.http+json';

type Attachment = Pick<TestResult['attachments'][number], 'contentType' | 'body' | 'path'>;

/**
 * The outcome of a test under Playwright: of the last attempt if it passed, otherwise of the gravest attempt. So a last attempt that was
 * skipped or unknown doesn't hide an earlier failure.
 */
export function outcomeOfTest(test: TestCase): TestOutcome {
  const attempts = (test.results.length > 0 ? test.results : [undefined]).map((result) => attemptOf(test, result));
  const [gravest] = attempts.toSorted((a, b) => verdicts[b.verdict].severity - verdicts[a.verdict].severity);
  const last = attempts.at(-1) as TestOutcome;
  const counting = gravest && outcomeOfVerdict(last.verdict) !== 'passed' ? gravest : last;
  const seconds = attempts.reduce((sum, each) => sum + each.seconds, 0);
  if (!gravest || counting === gravest) return { ...counting, seconds };
  return { ...counting, seconds, flaky: { attempts: attempts.length, reason: namedReason(gravest) } };
}

function attemptOf(test: TestCase, result: TestResult | undefined): TestOutcome {
  const errors = result?.errors ?? [];
  const { file, line } = errors.map(({ stack }) => specLineOf(stack)).find(Boolean) ?? test.location;
  const document = { ...resultOf(test, result), file, line };
  const { ran, exitCode } = verdicts[document.verdict];
  const texts = errors.map(textOf);
  // For a test that was not tried, Playwright has the status "skipped" and no error.
  const messages = texts.length > 0 ? texts : [document.reason ?? ''];
  return outcomeOfResult(environmentOf(test), document, ran && exitCode !== 0 ? messages : undefined);
}

/** The text of an error without colours. Playwright puts colours into errors and differences even if the output can't show any. */
function textOf({ message, value }: TestError): string {
  return stripVTControlCharacters(message ?? value ?? '');
}

/** The environment of a test, which is the name of its Playwright project. */
export function environmentOf(test: TestCase): string {
  return test.parent.project()?.name ?? '';
}

/** The result that a test attached. If the test never started, was interrupted, or lost its worker, returns a result that says so. */
export function resultOf(test: TestCase, result: TestResult | undefined): ResultDocument {
  const attached = result?.attachments.findLast(({ contentType }) => contentType === RESULT_TYPE);
  const document = attached && (contentOf(attached) as ResultDocument | undefined);
  return document && result?.status !== 'interrupted' ? document : withoutResult(test, result);
}

/** The parsed JSON of an attachment; `undefined` if it isn't JSON. */
function contentOf({ body, path }: Attachment): unknown {
  const text = body ?? (path === undefined ? undefined : readText(path, fileRoles.output));
  return text && parsedJson(text.toString());
}

/** The result of a test that attached no result. Blames the service only if calls were made and none had a response. */
function withoutResult(
  { title, tags, location, annotations }: TestCase,
  result: TestResult | undefined,
): ResultDocument {
  const { status, startTime, duration = 0, attachments = [], errors: [first] = [] } = result ?? {};
  const common = {
    ...{ title, effect: 'read' as const, ...tagsOf(title, tags), file: location.file, line: location.line },
    ...{ exchanges: [], startedAt: startTime?.getTime() ?? 0, durationMs: duration },
  };
  const skipped = annotations.find(({ type }) => type === 'skip')?.description ?? 'no reason given';
  const reason = !result
    ? NOT_STARTED
    : status === 'interrupted'
      ? INTERRUPTED
      : status === 'skipped'
        ? skipped
        : undefined;
  if (reason) return { ...common, verdict: 'skipped', category: 'skipped', reason };
  const calls = attachments
    .filter(({ contentType }) => contentType === HTTP_EXCHANGE)
    .map((each) => contentOf(each) as { readonly response?: unknown } | undefined);
  const isSilent = calls.length > 0 && calls.every((call) => call?.response === undefined);
  const verdict = isSilent ? 'unreachable' : 'unknown';
  const failure: Failure = {
    verdict,
    category: verdict,
    reason: first ? textOf(first) : 'it ended without a result',
  };
  return { ...common, ...failure, failures: [failure] };
}

/** Reasons of tests that Ctrl-C stopped or kept from starting. Such tests count as skipped, because they proved nothing. */
const INTERRUPTED = 'the run was interrupted during this test';
const NOT_STARTED = 'the run ended before this test started';

/**
 * The area and effect in a test's tags. If the tags are wrong, the area is `all`: the test itself reports the mistake, and the report must
 * still count the test.
 */
export function tagsOf(title: string, tags: readonly string[]): { area: AreaId | 'all'; effect?: Effect } {
  try {
    return readTags(title, tags);
  } catch (error) {
    if (error instanceof SpecMistake) return { area: 'all' };
    throw error;
  }
}
