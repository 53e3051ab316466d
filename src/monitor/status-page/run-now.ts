import { didYouMean, globMatches, partsOf } from '../../environment/index.ts';
import type { Monitor } from '../monitor.ts';

const ends = {
  hurried: 'runs now',
  running: 'is running already',
  spared: 'waits for its interval, because each of its runs uses up data',
} as const;

/**
 * Runs the scenarios that a form names, at once. The form's fields are `env` (patterns, separated by commas; default: all environments) and
 * `scenario` (one title or pattern, which may contain commas; one field for each). Returns the result in words, or the problem with the
 * form.
 */
export async function runNow(form: URLSearchParams, monitor: Pick<Monitor, 'targets' | 'hurry'>) {
  const environments = partsOf(form.getAll('env').join(','));
  const patterns = form
    .getAll('scenario')
    .map((pattern) => pattern.trim())
    .filter(Boolean);
  if (patterns.length === 0) return { problem: 'scenario is missing: a title, or a pattern, e.g. love*' };
  const among = monitor.targets.filter(
    ({ environment: { name } }) => environments.length === 0 || environments.some((each) => globMatches(each, name)),
  );
  const titles = among.map(({ scenario: { title } }) => title);
  const unmatched = patterns.find((pattern) => !titles.some((title) => globMatches(pattern, title)));
  if (among.length === 0 || unmatched !== undefined) {
    const where = environments.length > 0 ? ` in ${environments.join(', ')}` : '';
    return {
      problem: `no monitored scenario${where} matches ${JSON.stringify(unmatched ?? '')}${didYouMean(unmatched ?? '', titles)}`,
    };
  }
  const chosen = among.filter(({ scenario }) => patterns.some((pattern) => globMatches(pattern, scenario.title)));
  const done = await Promise.all(
    chosen.map(async (target) => {
      const end = await monitor.hurry(target);
      return `"${target.scenario.title}" in ${target.environment.name} ${ends[end]}`;
    }),
  );
  return { done: done.join('\n') };
}
