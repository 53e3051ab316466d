import type { TestCase, TestResult } from '@playwright/test/reporter';
import { parsedJson, SpecMistake } from '../client/index.ts';
import { fileRoles, readText } from '../config/files/index.ts';
import { categoryOf, type Failure, RESULT_TYPE, type ResultDocument } from '../engine/run/index.ts';
import { readTags } from '../scenario/index.ts';
import type { AreaId, Effect } from '../spec/index.ts';

/** Allure's content type of an HTTP exchange. A check reads results, too, and must not load Allure's library for one word. */
const HTTP_EXCHANGE = 'application/vnd.allure.http+json';

type Attachment = Pick<TestResult['attachments'][number], 'contentType' | 'body' | 'path'>;

/**
 * The result that a test attached. If the test attached none, because its worker was killed or never ended, a result
 * that says so.
 */
export function resultOf(test: TestCase, result: TestResult): ResultDocument {
  const attached = result.attachments.findLast(({ contentType }) => contentType === RESULT_TYPE);
  return (attached && (contentOf(attached) as ResultDocument | undefined)) ?? withoutResult(test, result);
}

/** The parsed JSON of an attachment; `undefined` if it isn't JSON. */
export function contentOf({ body, path }: Attachment): unknown {
  const text = body ?? (path === undefined ? undefined : readText(path, fileRoles.output));
  return text && parsedJson(text.toString());
}

/** Nothing says that the service is at fault, unless none of the test's calls had a response. */
function withoutResult(test: TestCase, result: TestResult): ResultDocument {
  const { attachments, errors, duration, startTime, status } = result;
  const times = { startedAt: startTime?.getTime() ?? 0, durationMs: duration };
  const tagged = { effect: 'read' as const, ...tagsOf(test.title, test.tags) };
  const common = { title: test.title, ...tagged, file: test.location.file, exchanges: [], ...times };
  if (status === 'skipped') {
    const reason = test.annotations.find(({ type }) => type === 'skip')?.description ?? 'no reason given';
    return { ...common, verdict: 'skipped', reason, category: 'skipped' };
  }
  const calls = attachments
    .filter(({ contentType }) => contentType === HTTP_EXCHANGE)
    .map((each) => contentOf(each) as { readonly response?: unknown } | undefined);
  const isSilent = calls.length > 0 && calls.every((call) => call?.response === undefined);
  const verdict = isSilent ? 'unreachable' : 'unknown';
  const [first] = errors;
  const reason = first?.message ?? first?.value ?? 'it ended without a result';
  const failure: Failure = { verdict, category: verdict, reason };
  return { ...common, verdict, reason, failures: [failure], category: categoryOf({ verdict }) };
}

/** The area and effect in a test's tags. A test with wrong tags reports that itself, and still has to be counted. */
export function tagsOf(title: string, tags: readonly string[]): { area: AreaId | 'all'; effect?: Effect } {
  try {
    return readTags(title, tags);
  } catch (error) {
    if (error instanceof SpecMistake) return { area: 'all' };
    throw error;
  }
}
