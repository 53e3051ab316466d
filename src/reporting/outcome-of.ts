import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestResult } from '@playwright/test/reporter';
import {
  CATEGORY_LABEL,
  type Category,
  SpecMistake,
  type Verdict,
  verdictOfCategory,
  verdicts,
} from '../client/index.ts';
import { workFolder } from '../config/project-root.ts';
import { failureOfMessage, QUARANTINE_ANNOTATION, readTags } from '../scenario/index.ts';
import type { AreaId, Effect } from '../spec/index.ts';
import type { TestOutcome } from './summary.ts';

/** Why a test counts as skipped that Ctrl-C ended in its middle: it proved nothing, either way. */
export const INTERRUPTED = 'the run was interrupted during this test';
export const NOT_STARTED = 'the run ended before this test started';

/** What came of a test under Playwright, over all its attempts. */
export function outcomeOf(test: TestCase): TestOutcome {
  const { area } = tagsOf(test.title, test.tags);
  const seconds = test.results.reduce((sum, { duration }) => sum + duration, 0) / 1_000;
  const file = relative(workFolder, test.location.file).replaceAll('\\', '/');
  const common = { environment: test.parent.project()?.name ?? '', title: test.title, file, area, seconds };
  const ended = test.results.filter(({ status }) => status !== 'skipped' && status !== 'interrupted');
  if (ended.length === 0) {
    const isUnproven = test.annotations.some(
      ({ type, description }) => type === CATEGORY_LABEL && description === 'unproven',
    );
    const wasCut = test.results.some(({ status }) => status === 'interrupted');
    const reason = annotated(test, 'skip') ?? (wasCut ? INTERRUPTED : NOT_STARTED);
    return { ...common, outcome: 'skipped', reason, ...(isUnproven ? { unproven: true } : {}) };
  }
  const messages = ended.flatMap(({ errors }) => errors.map((error) => error.message ?? error.value ?? ''));
  const message = messages.join('\n\n');
  const failures = (messages.length > 0 ? messages : ['it failed without an error']).map(failureOfMessage);
  const quarantine = annotated(test, QUARANTINE_ANNOTATION);
  if (quarantine !== undefined)
    return { ...common, outcome: 'skipped', quarantined: true, reason: `${quarantine} — ${headOf(message)}` };
  const passes = ended.some(({ status }) => status === 'passed');
  if (test.outcome() === 'flaky' && passes)
    return { ...common, outcome: 'passed', flaky: { attempts: test.results.length, reason: headOf(message) } };
  if (test.ok() && passes) return { ...common, outcome: 'passed' };
  const shown = ended.map(verdictsShownBy);
  if (shown.every((all) => all.every((verdict) => verdict === 'unknown')))
    return { ...common, outcome: 'unknown', reason: headOf(message), message, failures };
  const isJudged = shown.some((all) => all.some((verdict) => verdicts[verdict].fellShort === 'behaviour'));
  return { ...common, outcome: 'failed', isJudged, message, failures };
}

function annotated({ annotations }: TestCase, wanted: string): string | undefined {
  return annotations.find(({ type }) => type === wanted)?.description;
}

/** The first line of an error without its name, and the claim below it. */
function headOf(message: string): string {
  const [first = '', second = ''] = stripVTControlCharacters(message).split('\n');
  const text = first.replace(/^(Error: )?([A-Z]\w+: )?/, '');
  return second.startsWith('  ') ? `${text} ${second.trim()}` : text;
}

/** The verdicts on a failed test: from its categories, otherwise from a failed `expect` in its own lines. What else ends one, a timeout or a bug, is ours. */
function verdictsShownBy({ annotations, steps }: TestResult): Verdict[] {
  const categories = annotations.filter(({ type }) => type === CATEGORY_LABEL);
  const found = categories.map(({ description }) => verdictOfCategory(description as Category));
  // It may have been left out before its clean-up failed.
  const ofRun = found.filter((verdict) => verdicts[verdict].ran);
  if (found.length > 0) return ofRun.length > 0 ? ofRun : found;
  return steps.some(({ category, error }) => category === 'expect' && error) ? ['failed'] : ['unknown'];
}

/** The area and effect in a test's tags; a test with wrong tags fails by itself, but still counts. */
export function tagsOf(title: string, tags: readonly string[]): { area: AreaId | 'all'; effect?: Effect } {
  try {
    return readTags(title, tags);
  } catch (error) {
    if (error instanceof SpecMistake) return { area: 'all' };
    throw error;
  }
}
