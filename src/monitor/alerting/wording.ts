import { counted, listed } from '../../environment/index.ts';
import { reasonOfCode } from '../../http/index.ts';
import { type AreaId, areaIds, areaTitle } from '../../service/index.ts';
import { type Cause, familyOf, hostsOf } from '../status/cause.ts';
import { type DueNotice, type Ended, isBack } from '../status/due-notice.ts';
import { type Flip, scenarioKey } from '../status/flip.ts';
import { type Incident, type Leaving, leavingOf, widest } from '../status/incident.ts';
import { durationText } from '../status/texts.ts';

type Hits = readonly Flip[];

/** The verb of a sentence with one subject, and with several subjects. */
type Verb = readonly [one: string, several: string];

const same = (verb: string): Verb => [verb, verb];

/** How a scenario enters an incident. */
export function beganText(cause: Cause): string {
  return { down: 'went down', unjudged: "can't be judged" }[familyOf(cause)];
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

/** How a scenario left an incident: `has recovered`. */
export function endingText(how: Leaving): string {
  return endings[how][0];
}

/** How a scenario left an incident, whatever became of it since. */
export function leaveText(leave: Flip): string {
  return endingText(leavingOf(leave));
}

/** The verbs for what is broken, was broken, or works again. */
const verbs = {
  operation: { now: ['is failing', 'are failing'], was: same('failed'), again: endings.recovered },
  errors: { now: ['answers', 'answer'], was: same('answered'), again: ['works again', 'work again'] },
  unreached: {
    now: same("can't be reached"),
    was: same("couldn't be reached"),
    again: ['answers again', 'answer again'],
  },
  silent: {
    now: ["doesn't respond", "don't respond"],
    was: same("didn't respond"),
    again: ['responds again', 'respond again'],
  },
  credential: { now: same('is refused'), was: same('was refused'), again: same('is accepted again') },
  unjudged: { now: same("can't be judged"), was: same("couldn't be judged"), again: endings.judged },
} as const satisfies Record<string, Readonly<Record<Tense, Verb>>>;

type Tense = 'now' | 'was' | 'again';

function formOf(hits: Hits): keyof typeof verbs {
  const { kind, phase = 'response' } = widest(hits);
  if (kind === 'unjudged' || kind === 'credential') return kind;
  // Several operations that end alike are their address.
  const isOne = new Set(hits.map(({ cause: { name } }) => name)).size === 1 || codesOf(hits).length === 0;
  if (kind === 'operation' && isOne) return 'operation';
  if (phase === 'response') return 'errors';
  return connecting.has(phase) ? 'unreached' : 'silent';
}

const connecting: ReadonlySet<Cause['phase']> = new Set(['dns', 'connect', 'tls', 'front']);

const reasons: Readonly<Record<string, string>> = {
  DEADLINE: 'timed out',
  UNREACHABLE: 'unreachable',
  ECONNRESET: 'connection reset',
  CLOSED: 'connection closed',
};

/** One sentence on what is broken, was broken, or works again: `Friends answers 503`. Of several causes, the widest counts. */
function sentenceOf(hits: Hits, tense: Tense): string {
  const form = formOf(hits);
  const { kind, name = '', code = '', phase, afterMs } = widest(hits);
  const { sentence, area, reason = 'something is missing' } = hits[0] as Flip;
  if (form === 'operation' && sentence && tense === 'now') return sentence;
  if (form === 'operation' && sentence && tense === 'was')
    return `${areaTitle(area)}: ${name} ${code ? endedText(code, phase) : 'failed'}`;
  const wide = hits.filter(({ cause }) => cause.kind !== 'operation');
  const areas = new Set(
    (wide.length > 0 ? wide : hits).flatMap((hit): readonly Area[] => hit.cause.areas ?? [hit.area]),
  );
  const hosts = [...new Set(hits.flatMap(({ cause }) => hostsOf(cause)))];
  const host = hosts.length === 1 ? hosts[0] : counted(hosts.length, 'host');
  const where = areas.size < areaIds.length ? ` (${areasText(areas)})` : '';
  const ofHosts = [host, hosts.length > 1, `: ${whyLost(code)}${where}`] as const;
  const parts = {
    credential: [name, false, ` (${code}) in ${areasText(areas)}`],
    errors: [areasText(areas), areas.size > 1, ` ${listed(codesOf(hits).slice(0, 3))}`],
    unreached: ofHosts,
    // A host is named if all of its areas are silent.
    silent: [
      kind === 'host' ? host : areasText(areas),
      kind === 'host' ? hosts.length > 1 : areas.size > 1,
      ` (${whyLost(code)}${afterText(afterMs)})`,
    ],
  } as const;
  if (form === 'operation' || form === 'unjudged') {
    const why = form === 'unjudged' && tense !== 'again' ? `: ${reason}` : '';
    return `${scenariosText(hits, verbs[form][tense])} in ${areasText(hits.map((hit) => hit.area))}${why}`;
  }
  const [who, isMany, what] = parts[form];
  return `${who} ${verbs[form][tense][isMany ? 1 : 0]}${tense === 'again' ? '' : what}`;
}

/** How an operation failed: `answered 500`, `gave no usable response: timed out`. */
function endedText(code: string, phase: Cause['phase']): string {
  return phase === 'response' ? `answered ${code}` : `gave no usable response: ${whyLost(code)}`;
}

function whyLost(code: string): string {
  return reasons[code] ?? reasonOfCode(code) ?? code;
}

function afterText(ms: number | undefined): string {
  return ms === undefined ? '' : ` after ${ms / 1_000} s`;
}

function codesOf(hits: Hits): string[] {
  return [...new Set(hits.flatMap(({ cause: { code } }) => code ?? []))].sort();
}

/** `"block" has recovered`, perhaps in several environments; `3 scenarios have recovered`. */
function scenariosText(hits: Hits, [one, several]: Verb): string {
  const titles = new Set(hits.map(({ scenario }) => scenario.title));
  return titles.size === 1 ? `"${hits[0]?.scenario.title}" ${one}` : `${counted(hits.length, 'scenario')} ${several}`;
}

type Area = AreaId | 'all';

/** `Friends`, `Friends and Stories`, `4 areas`; a scenario of all areas says nothing of a single one. */
function areasText(areas: Iterable<Area>): string {
  const named = [...new Set(areas)];
  const titles = named.flatMap((area) => (area === 'all' ? [] : areaTitle(area)));
  if (titles.length < named.length) return 'several areas';
  return titles.length > 2 ? counted(titles.length, 'area') : listed(titles);
}

/** The title of an incident on its page; that of a resolved one is in the past. */
export function incidentTitle({ subject, until }: Pick<Incident, 'subject' | 'until'>): string {
  return sentenceOf(subject, until === undefined ? 'now' : 'was');
}

/** The alert in one line, subject first: it is an e-mail's subject and a pager's text. `now` is that of the steady clock, in ms. */
export function headlineOf(notice: DueNotice, now: number): string {
  const { kind, open, ended, news } = notice;
  const { ms, isAtMost } = lastedOf(notice, now);
  if (kind === 'up') return upText(ended, `after ${isAtMost ? 'at most ' : ''}${durationText(ms)}`);
  const about = kind === 'more' ? open.slice(0, news) : open;
  const count = formOf(about) === 'operation' ? ` (${counted(about.length, 'scenario')})` : '';
  const still = kind === 'still' ? `, for ${durationText(ms)}` : '';
  const rest = open.length > about.length ? restText(about, open) : '';
  // A scenario that recovered and failed again has not recovered.
  const failing = new Set(open.map(({ scenario }) => scenarioKey(scenario)));
  const back = hitsOf(ended.filter(({ hit, how }) => isBack(how) && !failing.has(scenarioKey(hit.scenario))));
  const meanwhile = back.length > 0 ? `; ${scenariosText(back, endings.recovered)}` : '';
  return `${environmentsText(environmentsOf(about))}: ${sentenceOf(about, 'now')}${count}${still}${rest}${meanwhile}`;
}

/** How long what a notice names has been wrong, or was, in ms: it ends at the first good look; `isAtMost`: nobody looked for a while. */
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

/** Reminds a route of what it already knows. */
function restText(news: Hits, open: Hits): string {
  const known = environmentsOf(open).filter((name) => !environmentsOf(news).includes(name));
  if (known.length > 0) return `; ${environmentsText(known)} ${known.length === 1 ? 'is' : 'are'} still down`;
  return `; ${open.length} scenarios in all`;
}

/** `aa: h answers again after 3 min`, `aa: "block" has recovered in Friends after at most 10 min; "list" can no longer be judged`. */
function upText(ended: readonly Ended[], after: string): string {
  const { true: back = [], false: others = [] } = Object.groupBy(ended, ({ how }) => `${isBack(how)}`);
  const apart = [...Map.groupBy(others, ({ how }) => how)].map(([how, of]) => scenariosText(hitsOf(of), endings[how]));
  const text =
    back.length > 0
      ? [`${sentenceOf(hitsOf(back), 'again')} ${after}`, ...apart].join('; ')
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

/** `staging` · `staging and production` · `a, b and 48 more environments`. */
export function environmentsText(names: readonly string[]): string {
  if (names.length > NAMED)
    return `${names.slice(0, NAMED - 1).join(', ')} and ${names.length - NAMED + 1} more environments`;
  return listed(names);
}
