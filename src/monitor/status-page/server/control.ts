import { matchesGlob } from 'node:path';
import { counted, duration, type Environment } from '../../../config/index.ts';
import { areaIds } from '../../../spec/index.ts';
import type { ProbeTarget } from '../../probe/targets.ts';
import type { RunRecorder } from '../../recording/run-recorder.ts';
import { addressOf, type Filter } from '../filter.ts';
import { html, type Markup } from '../html.ts';
import { LONGEST_NAME, nameInput } from '../incident/incident-form.ts';

/** What can be asked of a running monitor: what it announces, for how long unless a time is named, or ends; and what is said then. */
const controls = {
  'maintenance/start': { announces: 'maintenance', usual: '1h', done: 'Maintenance of' },
  'maintenance/end': {
    announces: 'maintenance',
    done: 'Ended maintenance of',
    none: 'has maintenance that was started on demand',
  },
  pause: { announces: 'pause', usual: '7d', done: 'Paused' },
  resume: { announces: 'pause', done: 'Resumed', none: 'is paused' },
  run: undefined,
} as const;

export type Control = keyof typeof controls;

export const controlNames = Object.keys(controls) as Control[];

interface ControlTools {
  readonly recorder: Pick<RunRecorder, 'announce'>;
  readonly environments: readonly Pick<Environment, 'name'>[];
  readonly runNow: (isChosen: (target: ProbeTarget) => boolean) => number;
}

/** What was done, in words for a person and in values for a pipeline; or the problem with what was asked. */
type ControlOutcome =
  | { readonly done: string; readonly environments: readonly string[]; readonly until?: string }
  | { readonly problem: string };

const LONGEST_WHY = 200;

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
  const names = tools.environments.map(({ name }) => name);
  const environments = names.filter((name) => patterns.some((pattern) => matchesGlob(name, pattern)));
  const unmatched = patterns.find((pattern) => !names.some((name) => matchesGlob(name, pattern)));
  if (unmatched !== undefined)
    return {
      problem: `no environment is called ${JSON.stringify(unmatched)}; monitored: ${names.join(', ')}`,
    };
  const area = field('area') || undefined;
  if (area !== undefined && area !== 'all' && !areaIds.some((id) => id === area))
    return { problem: `${JSON.stringify(area)} is not an area; expected ${areaIds.join(', ')}` };
  const [why, person] = [field('why').slice(0, LONGEST_WHY), field('person').slice(0, LONGEST_NAME) || 'somebody'];
  const control = controls[what];
  if (control?.announces === 'maintenance' && area)
    return { problem: 'maintenance is of whole environments: leave area out, or pause it' };
  const where = `${environments.join(', ')}${area ? ` (${area})` : ''}`;
  if (!control) {
    const count = tools.runNow(
      (target) => environments.includes(target.environment.name) && (area ?? target.area) === target.area,
    );
    return { done: `${counted(count, 'scenario')} of ${where} ${count === 1 ? 'runs' : 'run'} now`, environments };
  }
  const window = { kind: control.announces, environments, ...(area ? { area } : {}), person };
  if ('usual' in control) {
    const time = duration('1m', '30d')(field('for') || control.usual);
    if ('problem' in time) return { problem: `for: ${time.problem}` };
    tools.recorder.announce((calendar) => calendar.announce({ ...window, forMs: time.value, why }, now));
    const until = new Date(now + time.value).toISOString();
    return { done: `${control.done} ${where} until ${until}`, environments, until };
  }
  const ended = tools.recorder.announce((calendar) => calendar.end(window, now));
  return ended.length === 0
    ? { problem: `none of ${where} ${control.none}` }
    : { done: `${control.done} ${ended.join(', ')}`, environments: ended };
}

/** A path of this page; anything else would lead to another site. */
export function ownPath(path: string): string {
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) ? path : '/';
}

/** Maintenance, pause and runs of the environment or area that is filtered for. */
export function controlForm(filter: Filter): Markup | undefined {
  const { environment, area } = filter;
  if (!environment) return undefined;
  const button = (path: string, text: string) => html`<button formaction="/${path}">${text}</button>`;
  return html`<details class="control"><summary>Maintenance, pause, run now: ${environment}${area && ` (${area})`}</summary>
<form class="handling actions" method="post" action="/run"><input type="hidden" name="env" value="${environment}"><input type="hidden" name="back" value="${addressOf(filter)}">${area && html`<input type="hidden" name="area" value="${area}">`}
<label>Your name ${nameInput()}</label><label>Why <input name="why" maxlength="200" placeholder="release 41"></label><label>For <select name="for">${['1h', '4h', '1d', '7d'].map((time) => html`<option>${time}</option>`)}</select></label>
${!area && html`${button('maintenance/start', 'Maintenance now')}${button('maintenance/end', 'End maintenance')}`}${button('pause', 'Pause')}${button('resume', 'Resume')}${button('run', 'Run now')}</form></details>`;
}
