import { existsSync, readFileSync } from 'node:fs';
import { verdicts } from '../client/index.ts';
import { EMBEDDED } from '../config/index.ts';
import type { TestOutcome } from '../reporting/summary.ts';
import type { ScenarioResult } from '../runner/index.ts';

/** What a run in one environment left red. */
export interface Reds {
  readonly environment: string;
  readonly red: readonly string[];
  /** Everything that was run, red or not. */
  readonly ran: readonly string[];
}

/**
 * Lines that tell what the reds of a run look like: the likely causes out of the kill matrix, and, where the service isn't
 * the reference service, whether the same scenarios are red there too. Empty when nothing is red.
 */
export async function likelyCauseLines({ environment, red, ran }: Reds, signal?: AbortSignal): Promise<string[]> {
  if (red.length === 0) return [];
  // Loaded only here: it brings the reference service along, which most runs don't need.
  const { committedMatrix, likelyCauseLine, likelyCauses, redOnReference } = await import(
    '../fault-injection/index.ts'
  );
  const cause = likelyCauseLine(likelyCauses(committedMatrix(), red, ran));
  const lines = cause ? [cause] : [];
  if (environment !== EMBEDDED && !signal?.aborted) lines.push(referenceLine(red, await redOnReference(red, signal)));
  return lines;
}

/** The reds of a check. */
export function redsOfCheck(environment: string, results: readonly Pick<ScenarioResult, 'title' | 'verdict'>[]): Reds {
  const ran = results.filter(({ verdict }) => verdicts[verdict].ran);
  // An address that doesn't answer, or credentials that aren't accepted, say nothing of what the service does wrong.
  const red = ran.filter(({ verdict }) => verdicts[verdict].fellShort === 'behaviour');
  return { environment, red: red.map(({ title }) => title), ran: ran.map(({ title }) => title) };
}

/** The reds of a run under Playwright Test, by environment, out of what its reporter left. */
export function redsOf(file: string): Reds[] {
  if (!existsSync(file)) return [];
  const outcomes = (JSON.parse(readFileSync(file, 'utf8')) as TestOutcome[]).filter(
    ({ outcome }) => outcome !== 'skipped',
  );
  return [...Map.groupBy(outcomes, ({ environment }) => environment)].map(([environment, all]) => ({
    environment,
    red: all.filter(({ isJudged }) => isJudged).map(({ title }) => title),
    ran: all.map(({ title }) => title),
  }));
}

function referenceLine(red: readonly string[], redThere: readonly string[]): string {
  if (redThere.length === 0)
    return `On the reference service, ${red.length === 1 ? 'this scenario passes' : `these ${red.length} scenarios pass`}: the suite is not the cause.`;
  const titles = redThere.map((title) => `"${title}"`).join(', ');
  return `THE SUITE ITSELF MAY BE WRONG: ${titles} ${redThere.length === 1 ? 'fails' : 'fail'} on the reference service too.`;
}
