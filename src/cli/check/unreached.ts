import { join } from 'node:path';
import { parsedJson, redact } from '../../client/index.ts';
import { fileRoles, readTextIfAny, remove, replaceText } from '../../config/files/index.ts';
import { attempt } from '../../config/index.ts';
import type { ScenarioResult } from '../../runner/index.ts';
import { stateFolder } from '../../scenario/index.ts';

/**
 * The titles that the next check begins with, after one whose results are `results` and which began with `before`. What has
 * waited longest comes first; what was cut short comes last, so that it can't keep the others waiting again and again.
 */
export function unreachedAfter(
  before: readonly string[],
  results: readonly Pick<ScenarioResult, 'title' | 'unreached'>[],
): string[] {
  const titled = (how: ScenarioResult['unreached']) =>
    results.filter(({ unreached }) => unreached === how).map(({ title }) => title);
  const waiting = titled('not started');
  const cut = titled('cut short');
  const ran = new Set(results.map(({ title }) => title));
  const stillWaiting = before.filter((title) => waiting.includes(title) || !ran.has(title));
  return [...stillWaiting, ...waiting.filter((title) => !stillWaiting.includes(title)), ...cut];
}

/** The titles that an earlier check of an environment had no time for. */
export function unreachedOf(environment: string): readonly string[] {
  // It only decides the order, so what can't be read is none.
  const text = attempt(() => readTextIfAny(fileOf(environment), fileRoles.state));
  const found = typeof text === 'string' ? parsedJson(text) : [];
  return Array.isArray(found) ? found.filter((each) => typeof each === 'string') : [];
}

/** @throws FileTrouble */
export function keepUnreached(environment: string, titles: readonly string[]): void {
  const file = fileOf(environment);
  if (titles.length === 0) remove(file, fileRoles.state);
  else replaceText(file, redact(`${JSON.stringify(titles, null, 2)}\n`), fileRoles.state);
}

function fileOf(environment: string): string {
  return join(stateFolder(), 'unreached', `${environment}.json`);
}
