import { type Phase, reasonOfCode } from '../../client/index.ts';
import { counted, listed } from '../../config/index.ts';
import { type AreaId, areaIds, areaTitle } from '../../spec/index.ts';
import { addressesOf, type Cause, familyOf, hostsOf, isConnection, widthOf } from '../status/cause.ts';
import { type DueNotice, type Ended, isBack } from '../status/due-notice.ts';
import { type Flip, scenarioKey } from '../status/flip.ts';
import { type Ending, endingOf, type Incident, widest } from '../status/incident.ts';
import { durationText } from '../status/texts.ts';

/** The verb of a sentence with one subject, and with several subjects. */
type Verb = readonly [one: string, several: string];

const same = (verb: string): Verb => [verb, verb];

const began = { down: same('went down'), unjudged: same("can't be judged") } as const;

/** How a scenario enters an incident. */
export function beganText(cause: Cause): string {
  return began[familyOf(cause)][0];
}

const endings: Readonly<Record<Ending, Verb>> = {
  recovered: ['has recovered', 'have recovered'],
  judged: same('can be judged again'),
  quiet: ['is in maintenance', 'are in maintenance'],
  unproven: same("can't be proved here, as before"),
  unmonitored: ['is no longer monitored', 'are no longer monitored'],
  unjudged: same('can no longer be judged'),
  elsewhere: ['fails for another cause now', 'fail for another cause now'],
};

/** How a scenario left an incident: `has recovered`. */
export function endingText(how: Ending): string {
  return endings[how][0];
}

/** How a scenario left an incident, whatever became of it since. */
export function leaveText(leave: Flip): string {
  return endingText(endingOf(leave));
}

/** The alert in one line, subject first: it is an e-mail's subject and a pager's text. `now` is that of the steady clock, in ms. */
export function headlineOf(notice: DueNotice, now: number): string {
  const { kind, open, ended, news } = notice;
  const { ms, isAtMost } = lastedOf(notice, now);
  if (kind === 'up') return upText(ended, `after ${isAtMost ? 'at most ' : ''}${durationText(ms)}`);
  const about = kind === 'more' ? open.slice(0, news) : open;
  const still = kind === 'still' ? `, for ${durationText(ms)}` : '';
  const rest = open.length > about.length ? restText(about, open) : '';
  // A scenario that recovered and failed again has not recovered.
  const failing = new Set(open.map(({ scenario }) => scenarioKey(scenario)));
  const back = ended.flatMap(({ hit, how }) => (isBack(how) && !failing.has(scenarioKey(hit.scenario)) ? [hit] : []));
  const meanwhile = back.length > 0 ? `; ${said(back, endings.recovered)}` : '';
  const count = hitsByOperation(about) ? ` (${counted(about.length, 'scenario')})` : '';
  return `${environmentsText(environmentsOf(about))}: ${brokenText(about)}${count}${still}${rest}${meanwhile}`;
}

/** How long what a notice names has been wrong, or was, in ms: it ends at the first good look; `isAtMost`: nobody looked for a while. */
export function lastedOf({ kind, open, ended }: DueNotice, now: number) {
  if (kind !== 'up') return { ms: Math.max(0, now - earliest(open)), isAtMost: false };
  const recovered = ended.some(({ how }) => isBack(how)) ? ended.filter(({ how }) => isBack(how)) : ended;
  const last = recovered.reduce((a, b) => (b.leave.steady > a.leave.steady ? b : a));
  return {
    ms: Math.max(0, last.leave.steady - earliest(ended.map(({ hit }) => hit))),
    isAtMost: last.leave.isAtMost === true && familyOf(last.hit.cause) === 'down',
  };
}

function earliest(hits: readonly Flip[]): number {
  return Math.min(...hits.map(({ steady }) => steady));
}

/** The title of an incident on its page; that of a resolved one is in the past. */
export function incidentTitle({ subject, until }: Pick<Incident, 'subject' | 'until'>): string {
  const text = brokenText(subject, until === undefined ? 0 : 1);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

type Tense = 0 | 1;

const tenses = {
  unjudged: ["can't be judged", "couldn't be judged"],
  is: ['is', 'was'],
  answers: ['answers', 'answered'],
  answer: ['answer', 'answered'],
} as const;

/** Says what is broken, or was; of several causes, the widest. */
function brokenText(hits: readonly Flip[], tense: Tense = 0): string {
  const cause = widest(hits);
  if (familyOf(cause) === 'unjudged') {
    const verb = tenses.unjudged[tense];
    return `${said(hits, same(verb))} in ${areasText(hits)}: ${hits[0]?.reason ?? 'something is missing'}`;
  }
  if (isConnection(cause)) return connectionText(hits, cause, tense);
  const { areas, who, isMany } = reachOf(hits.filter((hit) => hit.cause.kind === cause.kind));
  if (cause.kind === 'credential')
    return `${cause.name} ${tenses.is[tense]} refused (${cause.code}) in ${areas.length > 2 ? counted(areas.length, 'area') : listed(areas)}`;
  if (hitsByOperation(hits)) return operationText(hits, tense);
  return `${who} ${tenses[isMany ? 'answer' : 'answers'][tense]} ${listed(codesOf(hits).slice(0, 3))}`;
}

function codesOf(hits: readonly Flip[]): string[] {
  return [...new Set(hits.flatMap(({ cause: { code } }) => code ?? []))].sort();
}

/** Whether one operation is what is broken; several that end alike are their address. */
function hitsByOperation(hits: readonly Flip[]): boolean {
  const isOne = new Set(hits.map(({ cause: { name } }) => name)).size === 1 || codesOf(hits).length === 0;
  return widest(hits).kind === 'operation' && isOne;
}

/** The broken operation in a sentence: `Friends: unblock answers 500`. */
function operationText(hits: readonly Flip[], tense: Tense): string {
  const { sentence, cause, area } = hits[0] ?? {};
  if (sentence === undefined)
    return `${said(hits, tense ? same('failed') : ['is failing', 'are failing'])} in ${areasText(hits)}`;
  if (!tense) return sentence;
  return `${areaTitle(area ?? 'all')}: ${cause?.name} ${cause?.code ? `answered ${cause.code}` : 'failed'}`;
}

/** Areas, and the addresses that they have; `of`: how many base addresses there are, 0 where there are several environments. */
function reachOf(hits: readonly Flip[]) {
  const found = new Set(hits.flatMap(({ area, cause }): readonly (AreaId | 'all')[] => cause.areas ?? [area]));
  const areas = [...found].map((area) => areaTitle(area));
  const addresses = [...new Set(hits.flatMap(({ cause }) => addressesOf(cause)))];
  const of = environmentsOf(hits).length > 1 ? 0 : Math.max(0, ...hits.map(({ cause }) => cause.of ?? 0));
  // Where areas share an address, some of them can be well.
  const isByAddress =
    addresses.length > 1 && hits.every(({ cause }) => (cause.of ?? areaIds.length) === areaIds.length);
  const whoOf = (all: string) => (isByAddress ? `${addresses.length}${all} addresses` : listed(areas));
  const isMany = isByAddress || areas.length > 1;
  return { areas, addresses, of, who: whoOf(of > 0 ? ` of ${of}` : ''), whoseEnd: whoOf(''), isMany };
}

/** How the connection to `@` fails, and failed, by phase. */
const failures: Readonly<Record<Phase | 'response', readonly [now: string, then: string]>> = {
  dns: ["@ can't be resolved", "@ couldn't be resolved"],
  connect: ['nothing answers at @', 'nothing answered at @'],
  tls: same('no TLS connection to @'),
  processing: same('no response from @'),
  response: same('no response from @'),
  transfer: same('incomplete responses from @'),
};

const reasons: Readonly<Record<string, string>> = {
  DEADLINE: 'timed out',
  UNREACHABLE: 'unreachable',
  ECONNRESET: 'connection reset',
  CLOSED: 'connection closed',
};

/** `nothing answers at h: connection refused (Friends: 1 of 6 addresses)` */
function connectionText(hits: readonly Flip[], { phase = 'connect', code = '' }: Cause, tense: Tense): string {
  const { areas, addresses, of } = reachOf(hits.filter((hit) => widthOf(hit.cause) > 1));
  const where = hostsText(namesOf(hits));
  const text = `${failures[phase][tense].replace('@', where)}: ${reasons[code] ?? reasonOfCode(code) ?? code}`;
  if (of <= 1) return text;
  return `${text} (${addresses.length < of ? `${areas.join(', ')}: ` : ''}${addresses.length} of ${of} addresses)`;
}

function namesOf(hits: readonly Flip[]): string[] {
  return [...new Set(hits.flatMap(({ cause }) => hostsOf(cause)))];
}

function hostsText(names: readonly string[]): string {
  return names.length === 1 ? (names[0] ?? '') : counted(names.length, 'host');
}

/** Reminds a route of what it already knows. */
function restText(news: readonly Flip[], open: readonly Flip[]): string {
  const known = environmentsOf(open).filter((name) => !environmentsOf(news).includes(name));
  if (known.length > 0) return `; ${environmentsText(known)} ${known.length === 1 ? 'is' : 'are'} still down`;
  return `; ${open.length} scenarios in all`;
}

/** `aa: h answers again after 3 min`, `aa: "block" has recovered in Friends after at most 10 min; "list" can no longer be judged`. */
function upText(ended: readonly Ended[], after: string): string {
  const { true: back = [], false: others = [] } = Object.groupBy(ended, ({ how }) => `${isBack(how)}`);
  const apart = [...Map.groupBy(others, ({ how }) => how)].map(([how, of]) => said(hitsOf(of), endings[how]));
  const text =
    back.length > 0 ? [`${backText(hitsOf(back))} ${after}`, ...apart].join('; ') : `${apart.join(', ')}, ${after}`;
  return `${environmentsText(environmentsOf(hitsOf(ended)))}: ${text}`;
}

function backText(hits: readonly Flip[]): string {
  const cause = widest(hits);
  const hosts = namesOf(hits);
  if (isConnection(cause)) return `${hostsText(hosts)} ${hosts.length > 1 ? 'answer' : 'answers'} again`;
  if (cause.kind === 'credential') return `${cause.name} is accepted again`;
  if (cause.kind === 'operation' || cause.kind === 'unjudged')
    return `${said(hits, endings[cause.kind === 'unjudged' ? 'judged' : 'recovered'])} in ${areasText(hits)}`;
  const { whoseEnd, isMany } = reachOf(hits);
  return `${whoseEnd} ${isMany ? 'work' : 'works'} again`;
}

/** `"block" has recovered`, perhaps in several environments; `3 scenarios have recovered`. */
function said(hits: readonly Flip[], [one, several]: Verb): string {
  const titles = new Set(hits.map(({ scenario }) => scenario.title));
  return titles.size === 1 ? `"${hits[0]?.scenario.title}" ${one}` : `${counted(hits.length, 'scenario')} ${several}`;
}

/** The areas of the scenarios themselves: `Friends`, `Friends and Stories`, `4 areas`. */
function areasText(hits: readonly Flip[]): string {
  const titles = [...new Set(hits.map(({ area }) => (area === 'all' ? 'several areas' : areaTitle(area))))];
  return titles.length > 3 ? counted(titles.length, 'area') : listed(titles);
}

function hitsOf(ended: readonly Ended[]): Flip[] {
  return ended.map(({ hit }) => hit);
}

export function environmentsOf(hits: readonly Flip[]): string[] {
  return [...new Set(hits.map(({ scenario }) => scenario.environment))];
}

const NAMED = 3;

/** `staging` · `staging and production` · `a, b and 48 more environments`. */
export function environmentsText(names: readonly string[]): string {
  if (names.length > NAMED)
    return `${names.slice(0, NAMED - 1).join(', ')} and ${names.length - NAMED + 1} more environments`;
  return listed(names);
}
