import { relative } from 'node:path';
import type { TestCase } from '@playwright/test/reporter';
import { verdicts } from '../client/index.ts';
import { workFolder } from '../config/project-root.ts';
import { overallVerdict, type ResultDocument, workingAreas } from '../engine/run/index.ts';
import { resultOf, tagsOf } from './result-of.ts';
import type { TestOutcome } from './summary.ts';

/** Why a test counts as skipped that Ctrl-C ended in its middle: it proved nothing, either way. */
export const INTERRUPTED = 'the run was interrupted during this test';
export const NOT_STARTED = 'the run ended before this test started';

/** The outcome of a test under Playwright, over all its attempts. */
export function outcomeOf(test: TestCase): TestOutcome {
  const seconds = test.results.reduce((sum, { duration }) => sum + duration, 0) / 1_000;
  const file = relative(workFolder, test.location.file).replaceAll('\\', '/');
  const { area } = tagsOf(test.title, test.tags);
  const named = { environment: test.parent.project()?.name ?? '', title: test.title, file, area, seconds };
  const ended = test.results.filter(({ status }) => status !== 'interrupted');
  const last = ended.at(-1);
  if (!last) return { ...named, verdict: 'skipped', reason: test.results.length > 0 ? INTERRUPTED : NOT_STARTED };
  const results = ended.map((result) => resultOf(test, result));
  const result = results.at(-1) as ResultDocument;
  const calls = results.flatMap(({ exchanges }) => exchanges);
  const common = { ...named, working: workingAreas(calls) };
  const failed = results.filter(({ verdict }) => verdicts[verdict].ran && verdicts[verdict].exitCode !== 0);
  const [before] = failed;
  // An attempt that could not be judged, or proves nothing, doesn't take back what the one before it showed.
  const isTakenBack = verdicts[result.verdict].ran ? failed.at(-1) !== result : result.quarantined;
  if (!before || isTakenBack) return { ...common, ...passedOrSkipped(result, before, ended.length) };
  const texts = ended.flatMap(({ errors }) => errors.map(({ message, value }) => message ?? value ?? ''));
  // Playwright has no error for a test that was not tried.
  const messages = texts.length > 0 ? texts : failed.flatMap(({ reason }) => reason ?? []);
  const failures = failed.flatMap((each) => each.failures ?? []);
  const verdict = overallVerdict(failed.map((each) => each.verdict));
  return { ...common, verdict, ...reasonOf(result), messages, ...(failures.length > 0 ? { failures } : {}) };
}

function passedOrSkipped(
  { verdict, quarantined, unproven, reason, failures: [first] = [] }: ResultDocument,
  before: ResultDocument | undefined,
  attempts: number,
) {
  if (verdicts[verdict].ran)
    return { verdict, ...(before ? { flaky: { attempts, reason: namedReason(before) } } : {}) } as const;
  return {
    verdict,
    ...(reason === undefined ? {} : { reason }),
    ...(first?.gist ? { gist: first.gist } : {}),
    ...(quarantined ? { quarantined } : {}),
    ...(unproven ? { unproven } : {}),
  };
}

/** Where nothing else names the operation. */
function namedReason({ failures: [first] = [], reason = '' }: ResultDocument): string {
  return first?.call ? `${first.call.operation}: ${reason}` : reason;
}

function reasonOf(result: ResultDocument): { readonly reason?: string; readonly headline?: string } {
  const { reason } = result;
  return reason === undefined ? {} : { reason, headline: namedReason(result) };
}
