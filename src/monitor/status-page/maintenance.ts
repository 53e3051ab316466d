import { matchesGlob } from 'node:path';
import { duration } from '../../environment/index.ts';
import type { Monitor } from '../monitor.ts';

const LONGEST_WHY = 200;
const LONGEST_NAME = 80;

/**
 * Starts or ends maintenance as a form asks. The form's fields are `env` (names or patterns; several in one field with commas, or in
 * several fields), `for`, `why` and `person`. Returns the result in words and values, or the problem with the form. `now` is an epoch, in
 * ms.
 */
export function maintain(
  what: 'start' | 'end',
  form: URLSearchParams,
  monitor: Pick<Monitor, 'recorder' | 'environments'>,
  now: number,
) {
  const field = (name: string) => form.get(name)?.trim() ?? '';
  const given = form.getAll('env').join(',').split(',');
  const patterns = given.map((value) => value.trim()).filter(Boolean);
  if (patterns.length === 0)
    return { problem: 'env is missing: the name of an environment, or a pattern, e.g. prod-*' };
  const names = monitor.environments.map(({ name }) => name);
  const environments = names.filter((name) => patterns.some((pattern) => matchesGlob(name, pattern)));
  const unmatched = patterns.find((pattern) => !names.some((name) => matchesGlob(name, pattern)));
  if (unmatched !== undefined)
    return { problem: `no environment is called ${JSON.stringify(unmatched)}; monitored: ${names.join(', ')}` };
  const where = environments.join(', ');
  const person = field('person').slice(0, LONGEST_NAME) || 'somebody';
  if (what === 'end') {
    const ended = monitor.recorder.calendar.end(environments, person, now);
    return ended.length === 0
      ? { problem: `none of ${where} has maintenance that was started on demand` }
      : { done: `${person} ended maintenance of ${ended.join(', ')}`, environments: ended };
  }
  const time = duration('1m', '30d')(field('for') || '1h');
  if ('problem' in time) return { problem: `for: ${time.problem}` };
  const span = { start: now, until: now + time.value };
  const why = field('why').slice(0, LONGEST_WHY);
  monitor.recorder.calendar.announce(environments, { ...span, why, person });
  const until = new Date(span.until).toISOString();
  return { done: `${person} began maintenance of ${where}, until ${until}`, environments, until };
}

/** The path if it belongs to this site, otherwise `/`. Anything else could lead to another site. */
export function ownPath(path: string): string {
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) ? path : '/';
}
