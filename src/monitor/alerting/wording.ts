import { counted, listed } from '../../environment/index.ts';
import {
  areasText,
  type Cause,
  familyOf,
  same,
  sentenceOf,
  type Tense,
  type Verb,
  whyLost,
  widest,
} from '../../run/index.ts';
import { areaTitle } from '../../service/index.ts';
import { type DueNotice, type Ended, isBack } from '../status/due-notice.ts';
import { type Flip, scenarioKey } from '../status/flip.ts';
import { type Incident, type Leaving, leavingOf } from '../status/incident.ts';
import { durationText } from '../status/texts.ts';

type Hits = readonly Flip[];

/** How a scenario joined an incident, e.g. `went down`. */
export function beganText(cause: Cause): string {
  return { down: 'went down', degraded: 'became degraded', unjudged: "can't be judged" }[familyOf(cause)];
}

const endings: Readonly<Record<Leaving, Verb>> = {
  recovered: ['has recovered', 'have recovered'],
  judged: same('can be judged again'),
  quiet: ['is in maintenance', 'are in maintenance'],
  unproven: same("can't be proved here, as before"),
  unmonitored: ['is no longer monitored', 'are no longer monitored'],
  unjudged: same('can no longer be judged'),
  elsewhere: ['fails for another cause now', 'fail for another cause now'],
};

/** How a scenario left an incident, e.g. `has recovered`. */
export function endingText(how: Leaving): string {
  return endings[how][0];
}

/** How a scenario left an incident, judged only by its change of status at that time, and not by its state now. */
export function leaveText(leave: Flip): string {
  return endingText(leavingOf(leave));
}

/**
 * Verbs for scenarios that are down, degraded, or can't be judged: `now` in the present, `was` in the past, `again` for the end of this
 * state.
 */
const verbs = {
  down: { now: ['is failing', 'are failing'], was: same('failed'), again: endings.recovered },
  degraded: { now: ['is degraded', 'are degraded'], was: ['was degraded', 'were degraded'], again: endings.recovered },
  unjudged: { now: same("can't be judged"), was: same("couldn't be judged"), again: endings.judged },
} as const satisfies Record<string, Readonly<Record<Tense, Verb>>>;

/**
 * One sentence about a failure in the present or the past, or about its end: `Friends answers 503`. If there are several causes, it names
 * the cause that affects the most: a host before an address, an address before an operation.
 */
function sentenceOfHits(hits: Hits, tense: Tense): string {
  const causes = hits.map(({ cause }) => cause);
  const wide = hits.filter(({ cause }) => cause.kind !== 'operation');
  const areas = (wide.length > 0 ? wide : hits).flatMap(
    ({ cause, area }): readonly Flip['area'][] => cause.areas ?? [area],
  );
  const said = sentenceOf(causes, new Set(areas), tense);
  if (said !== undefined) return said;
  const { name = '', code = '', phase, ...own } = widest(causes);
  const { sentence, area, reason = 'something is missing' } = hits[0] as Flip;
  const family = familyOf(own);
  if (family === 'down' && sentence && tense === 'now') return sentence;
  if (family === 'down' && sentence && tense === 'was')
    return `${areaTitle(area)}: ${name} ${code ? endedText(code, phase) : 'failed'}`;
  const why = family !== 'down' && tense !== 'again' ? `: ${reason}` : '';
  return `${scenariosText(hits, verbs[family][tense])} in ${areasText(hits.map((hit) => hit.area))}${why}`;
}

/** How an operation failed, e.g. `answered 500`, or `gave no usable response: timed out`. */
function endedText(code: string, phase: Cause['phase']): string {
  return phase === 'response' ? `answered ${code}` : `gave no usable response: ${whyLost(code)}`;
}

/**
 * Names the scenarios if they have one title, perhaps in several environments: `"block" has recovered`. Otherwise counts them: `3 scenarios
 * have recovered`.
 */
function scenariosText(hits: Hits, [one, several]: Verb): string {
  const titles = new Set(hits.map(({ scenario }) => scenario.title));
  return titles.size === 1 ? `"${hits[0]?.scenario.title}" ${one}` : `${counted(hits.length, 'scenario')} ${several}`;
}

/** The title of an incident on its page. It is in the past tense if the incident is resolved. */
export function incidentTitle({ subject, until }: Pick<Incident, 'subject' | 'until'>): string {
  return sentenceOfHits(subject, until === undefined ? 'now' : 'was');
}

/**
 * The notice in one line, which begins with the environment. It is the subject of e-mails, and the text on pagers. `now` is on the
 * monotonic clock, in ms.
 */
export function headlineOf(notice: DueNotice, now: number): string {
  const { kind, open, ended, news } = notice;
  const { ms, isAtMost } = lastedOf(notice, now);
  if (kind === 'up') return upText(ended, `after ${isAtMost ? 'at most ' : ''}${durationText(ms)}`);
  const about = kind === 'more' ? open.slice(0, news) : open;
  const causes = about.map(({ cause }) => cause);
  const isOperation = familyOf(widest(causes)) === 'down' && sentenceOf(causes, new Set()) === undefined;
  const count = isOperation ? ` (${counted(about.length, 'scenario')})` : '';
  const still = kind === 'still' ? `, for ${durationText(ms)}` : '';
  const rest = open.length > about.length ? restText(about, open) : '';
  // Leave out a scenario that recovered and then failed again, because it has not recovered now.
  const failing = new Set(open.map(({ scenario }) => scenarioKey(scenario)));
  const back = hitsOf(ended.filter(({ hit, how }) => isBack(how) && !failing.has(scenarioKey(hit.scenario))));
  const meanwhile = back.length > 0 ? `; ${scenariosText(back, endings.recovered)}` : '';
  return `${environmentsText(environmentsOf(about))}: ${sentenceOfHits(about, 'now')}${count}${still}${rest}${meanwhile}`;
}

/**
 * How long the failure in a notice has lasted, in ms. A failure that has ended lasted until the first run that passed. `isAtMost`: no run
 * was judged for a while, so the failure may have been shorter.
 */
export function lastedOf({ kind, open, ended }: DueNotice, now: number) {
  const earliest = (hits: Hits) => Math.min(...hits.map(({ steady }) => steady));
  if (kind !== 'up') return { ms: Math.max(0, now - earliest(open)), isAtMost: false };
  const recovered = ended.filter(({ how }) => isBack(how));
  const last = (recovered.length > 0 ? recovered : ended).reduce((a, b) => (b.leave.steady > a.leave.steady ? b : a));
  return {
    ms: Math.max(0, last.leave.steady - earliest(hitsOf(ended))),
    isAtMost: last.leave.isAtMost === true && familyOf(last.hit.cause) === 'down',
  };
}

/** The end of a headline that is otherwise only about new failures: which environments are still down, or how many scenarios in all. */
function restText(news: Hits, open: Hits): string {
  const known = environmentsOf(open).filter((name) => !environmentsOf(news).includes(name));
  if (known.length > 0) return `; ${environmentsText(known)} ${known.length === 1 ? 'is' : 'are'} still down`;
  return `; ${open.length} scenarios in all`;
}

/**
 * The headline of a recovery: `aa: h can be reached again after 3 min`, or `aa: "block" has recovered in Friends after at most 10 min; "list" can no longer
 * be judged`.
 */
function upText(ended: readonly Ended[], after: string): string {
  const { true: back = [], false: others = [] } = Object.groupBy(ended, ({ how }) => `${isBack(how)}`);
  const apart = [...Map.groupBy(others, ({ how }) => how)].map(([how, of]) => scenariosText(hitsOf(of), endings[how]));
  const text =
    back.length > 0
      ? [`${sentenceOfHits(hitsOf(back), 'again')} ${after}`, ...apart].join('; ')
      : `${apart.join(', ')}, ${after}`;
  return `${environmentsText(environmentsOf(hitsOf(ended)))}: ${text}`;
}

function hitsOf(ended: readonly Ended[]): Flip[] {
  return ended.map(({ hit }) => hit);
}

export function environmentsOf(hits: Hits): string[] {
  return [...new Set(hits.map(({ scenario }) => scenario.environment))];
}

const NAMED = 3;

/** Names of environments in a text: `staging` · `staging and production` · `a, b and 48 more environments`. */
export function environmentsText(names: readonly string[]): string {
  if (names.length > NAMED)
    return `${names.slice(0, NAMED - 1).join(', ')} and ${names.length - NAMED + 1} more environments`;
  return listed(names);
}
