import { matchesGlob } from 'node:path';
import { duration } from '../../config/index.ts';
import { areaIds } from '../../spec/index.ts';
import type { RunRecorder } from '../run-recorder.ts';
import type { ProbeTarget } from '../targets.ts';

/** What can be asked of a running monitor, and the time that it lasts unless one is named. */
export const controls = {
  'maintenance/start': '1h',
  'maintenance/end': undefined,
  pause: '7d',
  resume: undefined,
  run: undefined,
} as const;

export type Control = keyof typeof controls;

export interface ControlTools {
  readonly recorder: Pick<RunRecorder, 'announce'>;
  readonly environments: readonly string[];
  readonly runNow: (isChosen: (target: ProbeTarget) => boolean) => number;
}

/** What was done, in words for a person and in values for a pipeline; or the problem with what was asked. */
export type ControlOutcome =
  | { readonly done: string; readonly environments: readonly string[]; readonly until?: string }
  | { readonly problem: string };

const LONGEST_WHY = 200;
const LONGEST_NAME = 80;

/** Does what a form asks: `env` (names or patterns, repeated or with commas), `area`, `for`, `why`, `person`. `now` is an epoch, in ms. */
export function doControl(what: Control, form: URLSearchParams, tools: ControlTools, now: number): ControlOutcome {
  const field = (name: string) => form.get(name)?.trim() ?? '';
  const patterns = form
    .getAll('env')
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter(Boolean);
  if (patterns.length === 0)
    return { problem: 'env is missing: the name of an environment, or a pattern, e.g. prod-*' };
  const environments = tools.environments.filter((name) => patterns.some((pattern) => matchesGlob(name, pattern)));
  const unmatched = patterns.find((pattern) => !tools.environments.some((name) => matchesGlob(name, pattern)));
  if (unmatched !== undefined)
    return {
      problem: `no environment is called ${JSON.stringify(unmatched)}; monitored: ${tools.environments.join(', ')}`,
    };
  const area = field('area') || undefined;
  if (area !== undefined && area !== 'all' && !areaIds.some((id) => id === area))
    return { problem: `${JSON.stringify(area)} is not an area; expected ${areaIds.join(', ')}` };
  const [why, person] = [field('why').slice(0, LONGEST_WHY), field('person').slice(0, LONGEST_NAME) || 'somebody'];
  const [kind] = what.split('/') as ['maintenance' | 'pause' | 'resume' | 'run'];
  if (kind === 'maintenance' && area)
    return { problem: 'maintenance is of whole environments: leave area out, or pause it' };
  const where = `${environments.join(', ')}${area ? ` (${area})` : ''}`;
  const ofArea = area ? { area } : {};
  if (what === 'maintenance/start' || what === 'pause') {
    const time = duration('1m', '30d')(field('for') || controls[what]);
    if ('problem' in time) return { problem: `for: ${time.problem}` };
    const announced = what === 'pause' ? ('pause' as const) : ('maintenance' as const);
    const window = { kind: announced, environments, ...ofArea, forMs: time.value, why, person };
    tools.recorder.announce((calendar) => calendar.announce(window, now));
    const until = new Date(now + time.value).toISOString();
    return {
      done: `${announced === 'pause' ? 'Paused' : 'Maintenance of'} ${where} until ${until}`,
      environments,
      until,
    };
  }
  if (what === 'run') {
    const count = tools.runNow(
      (target) => environments.includes(target.environment.name) && (area ?? target.area) === target.area,
    );
    return { done: `${count} scenarios of ${where} run now`, environments };
  }
  const announced = what === 'resume' ? ('pause' as const) : ('maintenance' as const);
  const window = { kind: announced, environments, ...ofArea, person };
  const ended = tools.recorder.announce((calendar) => calendar.end(window, now));
  const none = announced === 'pause' ? 'is paused' : 'has maintenance that was started on demand';
  return ended.length === 0
    ? { problem: `none of ${where} ${none}` }
    : {
        done: `${announced === 'pause' ? 'Resumed' : 'Ended maintenance of'} ${ended.join(', ')}`,
        environments: ended,
      };
}
