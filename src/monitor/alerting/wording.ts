import { type Phase, reasonOfCode } from '../../client/index.ts';
import { counted, listed, present } from '../../config/index.ts';
import { causesOf } from '../../engine/run/index.ts';
import { type AreaId, areaTitle } from '../../spec/index.ts';
import { addressesOf, type Cause, familyOf, hostOf, isConnection, widthOf } from '../status/cause.ts';
import type { DueNotice, Ended } from '../status/due-notice.ts';
import { type Flip, isUnproven, scenarioKey } from '../status/flip.ts';
import { type Incident, type Member, widest } from '../status/incident.ts';
import { cut, durationText } from '../status/texts.ts';

/** What is said of a scenario in an incident, by what that is about. */
export const familyTexts = {
  down: { began: 'went down', ended: 'has recovered' },
  skipped: { began: 'can no longer run', ended: 'can run again' },
  unjudged: { began: "can't be judged", ended: 'can be judged again' },
} as const;

/** A duration, in ms; `isAtMost`: nobody looked for a while, so that it may have been less. */
interface Lasted {
  readonly ms: number;
  readonly isAtMost: boolean;
}

/** The alert in one line, subject first: it is an e-mail's subject and a pager's text. `now` is that of the steady clock, in ms. */
export function headlineOf(notice: DueNotice, now: number): string {
  const { kind, open, ended, news } = notice;
  const lasted = lastedOf(notice, now);
  if (kind === 'up') return upText(ended, lasted);
  const about = kind === 'more' ? open.slice(0, news) : open;
  const still = kind === 'still' ? `, for ${durationText(lasted.ms)}` : '';
  const rest = open.length > about.length ? restText(about, open) : '';
  // What failed again has not recovered, though it left and came back.
  const failing = new Set(open.map(({ scenario }) => scenarioKey(scenario)));
  const back = hitsOf(ended.filter(({ isBack, hit }) => isBack && !failing.has(scenarioKey(hit.scenario))));
  const meanwhile = back.length > 0 ? `; ${saidOf(back, 'has recovered')}` : '';
  return `${environmentsText(environmentsOf(about))}: ${brokenText(about)}${still}${rest}${meanwhile}`;
}

/** How long what a notice names has been wrong, or was: it ends at the first good look. */
export function lastedOf({ kind, open, ended }: DueNotice, now: number): Lasted {
  if (kind !== 'up') return { ms: Math.max(0, now - earliest(open)), isAtMost: false };
  const recovered = ended.some(({ isBack }) => isBack) ? ended.filter(({ isBack }) => isBack) : ended;
  const last = recovered.reduce((a, b) => (b.leave.steady > a.leave.steady ? b : a));
  return {
    ms: Math.max(0, last.leave.steady - earliest(hitsOf(ended))),
    isAtMost: last.leave.isAtMost === true && familyOf(last.hit.cause) === 'down',
  };
}

/** What is wrong, or was: the title of an incident on its page. */
export function incidentTitle({ subject }: Pick<Incident, 'subject'>): string {
  return brokenText(subject, false).replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** What is broken: of several causes, the widest. `isCounted`: with the number of scenarios where one operation is. */
function brokenText(hits: readonly Flip[], isCounted = true): string {
  const cause = widest(hits);
  const family = familyOf(cause);
  if (family !== 'down')
    return `${saidOf(hits, familyTexts[family].began)} in ${areasText(hits)}: ${hits[0]?.reason ?? 'something is missing'}`;
  if (isConnection(cause)) return connectionText(hits, cause);
  const { areas, who, isMany } = reachOf(hits.filter((hit) => hit.cause.kind === cause.kind));
  if (cause.kind === 'credential')
    return `${cause.name} is refused (${cause.code}) in ${areas.length > 2 ? counted(areas.length, 'area') : listed(areas)}`;
  const codes = [...new Set(hits.flatMap(({ cause: { code } }) => code ?? []))].sort();
  const operations = new Set(hits.map(({ cause: { name } }) => name));
  // Several operations that end alike: their address does.
  if (cause.kind !== 'operation' || (operations.size > 1 && codes.length > 0))
    return `${who} ${isMany ? 'answer' : 'answers'} ${listed(codes.slice(0, 3))}`;
  return `${operationText(hits)}${isCounted ? ` (${counted(hits.length, 'scenario')})` : ''}`;
}

/** Areas, and the addresses that they have; `of`: how many base addresses there are, 0 where there are several environments. */
function reachOf(hits: readonly Flip[]) {
  const found = new Set(hits.flatMap(({ area, cause }): readonly (AreaId | 'all')[] => cause.areas ?? [area]));
  const areas = [...found].map((area) => areaTitle(area));
  const addresses = [...new Set(hits.flatMap(({ cause }) => addressesOf(cause)))];
  const of = environmentsOf(hits).length > 1 ? 0 : Math.max(0, ...hits.map(({ cause }) => cause.of ?? 0));
  const isMany = addresses.length > 1 || areas.length > 1;
  const who = addresses.length > 1 ? `${addresses.length}${of > 0 ? ` of ${of}` : ''} addresses` : listed(areas);
  return { areas, addresses, of, who, isMany };
}

/** Longest sentence, in characters: an expectation of the team's own can be longer. */
const LONGEST = 160;

/** What broke, in a sentence: `Friends: unblock answers 500`. */
function operationText(hits: readonly Flip[]): string {
  const [first] = hits;
  if (!first?.call) return `${saidOf(hits, 'is failing')} in ${areasText(hits)}`;
  const { cause, area, verdict, grade, reason = '', call, scenario } = first;
  if (cause.unseenIn !== undefined) {
    const lists = listed([...new Set(hits.flatMap((hit) => hit.cause.unseenIn ?? []))]);
    return `${areaTitle(area)}: ${cause.name} is accepted and never shows in ${lists}`;
  }
  const { claim, observed, sentence, needs, merely, unseen, ...failing } = call;
  const broken = present({ grade, claim, observed, sentence, needs, merely, unseen });
  const failure = { ...scenario, verdict, category: verdict, reason, ...broken, call: failing };
  return cut(causesOf([failure])[0]?.sentence ?? '', LONGEST);
}

/** What is wrong with `@`. */
const failures: Readonly<Record<Phase | 'response', string>> = {
  dns: "@ can't be resolved",
  connect: 'nothing answers at @',
  tls: 'no TLS connection to @',
  processing: 'no response from @',
  response: 'no response from @',
  transfer: 'incomplete responses from @',
};

const reasons: Readonly<Record<string, string>> = {
  DEADLINE: 'timed out',
  UNREACHABLE: 'unreachable',
  ECONNRESET: 'connection reset',
  CLOSED: 'connection closed',
};

/** `nothing answers at h: connection refused (Friends: 1 of 6 addresses)` */
function connectionText(hits: readonly Flip[], { phase = 'connect', code = '' }: Cause): string {
  const { areas, addresses, of } = reachOf(hits.filter((hit) => widthOf(hit.cause) > 1));
  const text = `${failures[phase].replace('@', hostsText(hits))}: ${reasons[code] ?? reasonOfCode(code) ?? code}`;
  if (of <= 1) return text;
  return `${text} (${addresses.length < of ? `${areas.join(', ')}: ` : ''}${addresses.length} of ${of} addresses)`;
}

function hostsText(hits: readonly Flip[]): string {
  const names = [...new Set(hits.flatMap(({ cause }) => addressesOf(cause)).map(hostOf))];
  return names.length === 1 ? (names[0] ?? '') : counted(names.length, 'host');
}

/** What a route knows already of what a further notice is about. */
function restText(news: readonly Flip[], open: readonly Flip[]): string {
  const known = environmentsOf(open).filter((name) => !environmentsOf(news).includes(name));
  if (known.length > 0) return `; ${environmentsText(known)} ${known.length === 1 ? 'is' : 'are'} still down`;
  return `; ${open.length} scenarios in all`;
}

/** `aa: h answers again after 3 min`, `aa: "block" has recovered in Friends after at most 10 min; "list" can no longer run`. */
function upText(ended: readonly Ended[], { ms, isAtMost }: Lasted): string {
  const back = hitsOf(ended.filter(({ isBack }) => isBack));
  const others = Map.groupBy(
    ended.filter(({ isBack }) => !isBack),
    endingOf,
  );
  const apart = [...others].map(([ending, members]) => saidOf(hitsOf(members), ending));
  const after = `after ${isAtMost ? 'at most ' : ''}${durationText(ms)}`;
  const text = back.length > 0 ? [`${backText(back)} ${after}`, ...apart].join('; ') : `${apart.join(', ')}, ${after}`;
  return `${environmentsText(environmentsOf(hitsOf(ended)))}: ${text}`;
}

function backText(hits: readonly Flip[]): string {
  const cause = widest(hits);
  if (isConnection(cause))
    return `${hostsText(hits)} ${/^\d+ hosts/.test(hostsText(hits)) ? 'answer' : 'answers'} again`;
  if (cause.kind === 'credential') return `${cause.name} is accepted again`;
  const { addresses, areas, isMany } = reachOf(hits);
  if (cause.kind === 'host' || cause.kind === 'address')
    return `${addresses.length > 1 ? `${addresses.length} addresses` : listed(areas)} ${isMany ? 'work' : 'works'} again`;
  return `${saidOf(hits, familyTexts[familyOf(cause)].ended)} in ${areasText(hits)}`;
}

type Ending = Pick<Ended, 'leave' | 'isBack'> & Partial<Pick<Ended, 'isMonitored'>>;

/** How a scenario left an incident: `has recovered`. */
export function endingOf({ leave, isBack, isMonitored = true }: Ending): string {
  const { from, to } = leave;
  if (isBack) return familyTexts[from === 'skipped' || from === 'unjudged' ? from : 'down'].ended;
  if (to === 'pending') return isUnproven(leave) ? "can't be proved here, as before" : 'is no longer monitored';
  if (!isMonitored) return 'is no longer monitored';
  if (to === 'skipped') return familyTexts.skipped.began;
  return to === 'unjudged' ? 'can no longer be judged' : 'fails for another cause now';
}

/** How a scenario left an incident, whatever became of it since. */
export function leaveText(leave: Flip): string {
  return endingOf({ leave, isBack: leave.to === 'up' || leave.to === 'degraded' });
}

/** `"block" has recovered`, perhaps in several environments; `3 scenarios have recovered`. */
function saidOf(hits: readonly Flip[], what: string): string {
  const titles = new Set(hits.map(({ scenario }) => scenario.title));
  if (titles.size === 1) return `"${hits[0]?.scenario.title}" ${what}`;
  const plural = what.replace(/^(is|has|fails) /, (verb) => ({ 'is ': 'are ', 'has ': 'have ' })[verb] ?? 'fail ');
  return `${counted(hits.length, 'scenario')} ${plural}`;
}

/** The areas of the scenarios themselves: `Friends`, `Friends and Stories`, `4 areas`. */
function areasText(hits: readonly Flip[]): string {
  const titles = [...new Set(hits.map(({ area }) => (area === 'all' ? 'several areas' : areaTitle(area))))];
  return titles.length > 3 ? counted(titles.length, 'area') : listed(titles);
}

function hitsOf(members: readonly Member[]): Flip[] {
  return members.map(({ hit }) => hit);
}

export function environmentsOf(hits: readonly Flip[]): string[] {
  return [...new Set(hits.map(({ scenario }) => scenario.environment))];
}

function earliest(hits: readonly Flip[]): number {
  return Math.min(...hits.map(({ steady }) => steady));
}

const NAMED = 3;

/** `staging` · `staging and production` · `a, b and 48 more environments`. */
export function environmentsText(names: readonly string[]): string {
  if (names.length > NAMED)
    return `${names.slice(0, NAMED - 1).join(', ')} and ${names.length - NAMED + 1} more environments`;
  return listed(names);
}
