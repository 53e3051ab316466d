import type { Phase } from '../../client/index.ts';
import { counted, listed } from '../../config/index.ts';
import { type AreaId, areaTitle } from '../../spec/index.ts';
import { addressesOf, type Cause, familyOf, hostOf, isConnection, widthOf } from '../status/cause.ts';
import { type CauseOfHits, causesOfHits } from '../status/causes-of-hits.ts';
import type { DueNotice, Ended } from '../status/due-notice.ts';
import { type Flip, isUnproven } from '../status/flip.ts';
import { type Incident, type Member, widest } from '../status/incident.ts';
import { cut, durationText } from '../status/texts.ts';
import type { NoticeKind } from '../status/told.ts';

/** What is said of a scenario in an incident, by what that is about. */
export const familyTexts = {
  down: { began: 'went down', ended: 'has recovered' },
  skipped: { began: 'can no longer run', ended: 'can run again' },
  unjudged: { began: "can't be judged", ended: 'can be judged again' },
} as const;

/** A duration, in ms; `isAtMost`: nobody looked for a while, so that it may have been less. */
export interface Lasted {
  readonly ms: number;
  readonly isAtMost: boolean;
}

/** The alert in one line, subject first: it is an e-mail's subject and a pager's text. `now` is that of the steady clock, in ms. */
export function headlineOf(notice: DueNotice, now: number): string {
  const { kind, open, ended } = notice;
  const lasted = lastedOf(notice, now);
  if (kind === 'up') return upText(ended, lasted);
  const about = kind === 'more' ? open.slice(0, notice.news) : open;
  const rest = kind === 'more' && open.length > about.length ? restText(about, open) : '';
  const back = ended.filter(({ isBack, hit }) => isBack && isApart(hit, open));
  const meanwhile = back.length > 0 && kind !== 'down' ? `; ${namedText(hitsOf(back))} ${has(back)} recovered` : '';
  return `${environmentsText(environmentsOf(about))}: ${brokenText(about, kind, durationText(lasted.ms))}${rest}${meanwhile}`;
}

/** What failed again has not recovered, though it left and came back. */
function isApart({ scenario }: Flip, open: readonly Flip[]): boolean {
  return !open.some(
    (hit) => hit.scenario.title === scenario.title && hit.scenario.environment === scenario.environment,
  );
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

/** What is wrong, or was wrong: the title of an incident on its page. */
export function incidentTitle(incident: Incident): string {
  const { until, subject } = incident;
  const text = brokenText(subject, 'title', '');
  const told = until === undefined ? text : inPast(text);
  return told.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

type Kind = Exclude<NoticeKind, 'up'> | 'title';

/** What is broken: of several causes, the widest. */
function brokenText(hits: readonly Flip[], kind: Kind, lasted: string): string {
  const cause = widest(hits);
  const still = kind === 'still' ? lasted : undefined;
  const family = familyOf(cause);
  if (family !== 'down') return lackText(hits, kind, family);
  if (isConnection(cause)) return connectionText(hits, cause, still);
  const reach = reachOf(hits.filter((hit) => hit.cause.kind === cause.kind));
  if (cause.kind === 'credential') return credentialText(cause, reach, still);
  if (cause.kind === 'host' || cause.kind === 'address') return errorText(hits, reach, still);
  return `${causeText(hits, kind !== 'title')}${still === undefined ? '' : `, for ${still}`}`;
}

interface Reach {
  readonly areas: readonly string[];
  readonly addresses: readonly string[];
  /** How many base addresses the environment has; 0 where there are several environments. */
  readonly of: number;
}

function reachOf(hits: readonly Flip[]): Reach {
  const areas = new Set(hits.flatMap(({ area, cause }): readonly (AreaId | 'all')[] => cause.areas ?? [area]));
  const addresses = [...new Set(hits.flatMap(({ cause }) => addressesOf(cause)))];
  const isOne = environmentsOf(hits).length === 1;
  return {
    areas: [...areas].map((area) => areaTitle(area)),
    addresses,
    of: isOne ? Math.max(0, ...hits.map(({ cause }) => cause.of ?? 0)) : 0,
  };
}

function credentialText({ name, code }: Cause, { areas }: Reach, still: string | undefined): string {
  const where = areas.length > 2 ? counted(areas.length, 'area') : listed(areas);
  return `${name} ${still === undefined ? 'is' : 'has been'} refused (${code}) in ${where}${still === undefined ? '' : ` for ${still}`}`;
}

/** `Stories answers 503`, `6 of 6 addresses answer 503`. */
function errorText(hits: readonly Flip[], { areas, addresses, of }: Reach, still: string | undefined): string {
  const codes = listed([...new Set(hits.flatMap(({ cause }) => cause.code ?? []))].sort().slice(0, 3));
  const who = addresses.length > 1 ? `${addresses.length}${of > 0 ? ` of ${of}` : ''} addresses` : listed(areas);
  const isMany = addresses.length > 1 || areas.length > 1;
  if (still === undefined) return `${who} ${isMany ? 'answer' : 'answers'} ${codes}`;
  return `${who} ${isMany ? 'have' : 'has'} answered ${codes} for ${still}`;
}

/** What broke, in a sentence: `Friends: unblock answers 500 (3 scenarios), and 1 more cause`. */
function causeText(hits: readonly Flip[], isCounted: boolean): string {
  const [unseen] = hits.filter(({ cause }) => cause.unseenIn !== undefined);
  if (unseen) {
    const lists = listed([...new Set(hits.flatMap(({ cause }) => cause.unseenIn ?? []))]);
    return `${areaTitle(unseen.area)}: ${unseen.cause.name} is accepted and never shows in ${lists}${numberText(hits, isCounted)}`;
  }
  const [first, ...others] = causesOfHits(hits);
  if (!first) return '';
  const more = others.length > 0 ? `, and ${counted(others.length, 'more cause')}` : '';
  return `${sentenceOf(first)}${numberText(first.hits, isCounted)}${more}`;
}

function numberText(hits: readonly Flip[], isCounted: boolean): string {
  return isCounted ? ` (${counted(hits.length, 'scenario')})` : '';
}

/** Longest sentence, in characters: an expectation of the team's own can be longer. */
const LONGEST = 160;

function sentenceOf({ sentence, hits }: CauseOfHits): string {
  if (hits[0]?.call) return cut(sentence, LONGEST);
  return `${namedText(hits)} ${isOneTitle(hits) ? 'is' : 'are'} failing in ${areasText(hits)}`;
}

const pasts: Readonly<Record<string, string>> = {
  ...{ answer: 'answered', break: 'broke', give: 'gave', accept: 'accepted' },
  ...{ is: 'was', are: 'were', can: 'could', "can't": 'could not' },
};

/** A headline of what is over: its first verb outside of a quoted title in the past. */
export function inPast(text: string): string {
  const verb = new RegExp(`^((?:"[^"]*"|[^"])*? )(${Object.keys(pasts).join('|')})s?(?= )`);
  return text.replace(verb, (_, before, found) => `${before}${pasts[found]}`);
}

function lackText(hits: readonly Flip[], kind: Kind, family: 'skipped' | 'unjudged'): string {
  const { began } = familyTexts[family];
  const what = hits[0]?.reason ?? 'something is missing';
  return `${kind === 'more' ? 'now ' : ''}${namedText(hits)} ${began} in ${areasText(hits)}: ${what}`;
}

/** What is wrong with `@`, how that is told after `#`, and what is said when it is over. */
const sentences: Readonly<Record<Phase, readonly [down: string, still: string, up: string]>> = {
  dns: ["@ can't be resolved", '@ could not be resolved for #', '@ can be resolved again'],
  connect: ['nothing answers at @', 'nothing has answered at @ for #', 'connections to @ succeed again'],
  tls: ['no TLS connection to @', 'no TLS connection to @ for #', 'TLS connections to @ work again'],
  processing: ['no response from @', 'no response from @ for #', 'responses from @ arrive again'],
  transfer: ['incomplete responses from @', 'incomplete responses from @ for #', 'responses from @ are complete again'],
};

/** What happened to each address, after `6 of 6 addresses`. */
const endings: Readonly<Record<string, string>> = {
  ECONNREFUSED: ' refused',
  ECONNRESET: ' reset',
  CLOSED: ' closed',
  DEADLINE: ' timed out',
  ETIMEDOUT: ' timed out',
  ENOTFOUND: ' unknown',
  EHOSTUNREACH: ' unreachable',
  UNREACHABLE: ' unreachable',
  CERT_HAS_EXPIRED: ': certificate expired',
  CERT_NOT_YET_VALID: ': certificate not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: ': self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: ': self-signed certificate in the chain',
  ERR_TLS_CERT_ALTNAME_INVALID: ': certificate for another host',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ': certificate of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ': certificate of an unknown authority',
  EPROTO: ': no valid TLS',
};

function connectionSentences(hits: readonly Flip[], { phase = 'connect' }: Cause) {
  const names = [...new Set(hits.flatMap(({ cause }) => addressesOf(cause)).map(hostOf))];
  const where = names.length === 1 ? (names[0] ?? '') : counted(names.length, 'host');
  return sentences[phase === 'response' ? 'processing' : phase].map((text) => text.replace('@', () => where));
}

function connectionText(hits: readonly Flip[], cause: Cause, lasted: string | undefined): string {
  const reach = reachOf(hits.filter((hit) => widthOf(hit.cause) > 1));
  const [down = '', still = ''] = connectionSentences(hits, cause);
  const text = lasted === undefined ? down : still.replace('#', lasted);
  const what = endings[cause.code ?? ''] ?? `: ${cause.code}`;
  if (environmentsOf(hits).length > 1) return `${text} (${what.replace(/^:? /, '')})`;
  const { areas, addresses, of } = reach;
  if (of <= 1) return `${text} (${areas.length > 3 ? 'all areas' : listed(areas)}${what})`;
  const part = addresses.length < of ? `${areas.join(', ')}: ` : '';
  return `${text} (${part}${addresses.length} of ${of} addresses${what})`;
}

/** What a route knows already of what a further notice is about. */
function restText(news: readonly Flip[], open: readonly Flip[]): string {
  const known = environmentsOf(open).filter((name) => !environmentsOf(news).includes(name));
  if (known.length > 0) return `; ${environmentsText(known)} ${known.length === 1 ? 'is' : 'are'} still down`;
  return `; ${open.length} scenarios in all`;
}

/** `aa: connections to h succeed again after 3 min`, `aa: "block" has recovered in Friends after at most 10 min; "list" can no longer run`. */
function upText(ended: readonly Ended[], { ms, isAtMost }: Lasted): string {
  const back = ended.filter(({ isBack }) => isBack);
  const apart = [
    ...Map.groupBy(
      ended.filter(({ isBack }) => !isBack),
      endingOf,
    ),
  ].map(
    ([ending, members]) => `${namedText(hitsOf(members))} ${isOneTitle(hitsOf(members)) ? ending : inPlural(ending)}`,
  );
  const after = `after ${isAtMost ? 'at most ' : ''}${durationText(ms)}`;
  const where = environmentsText(environmentsOf(hitsOf(ended)));
  const text =
    back.length > 0
      ? [`${backText(hitsOf(back), apart.length > 0)} ${after}`, ...apart].join('; ')
      : `${apart.join(', ')}, ${after}`;
  return `${where}: ${text}`;
}

function inPlural(ending: string): string {
  return ending.replace(/^is /, 'are ').replace(/^fails /, 'fail ');
}

function backText(hits: readonly Flip[], isPart: boolean): string {
  const cause = widest(hits);
  const family = familyOf(cause);
  if (isConnection(cause)) return connectionSentences(hits, cause)[2] ?? '';
  const { areas, addresses } = reachOf(hits);
  if (cause.kind === 'credential') return `${cause.name} is accepted again`;
  if (cause.kind === 'host' || cause.kind === 'address')
    return `${addresses.length > 1 ? `${addresses.length} addresses` : listed(areas)} ${addresses.length + areas.length > 2 ? 'work' : 'works'} again`;
  const { ended } = familyTexts[family];
  const all =
    isOneTitle(hits) || isPart ? namedText(hits) : hits.length === 2 ? 'both scenarios' : `all ${namedText(hits)}`;
  return `${all} ${isOneTitle(hits) ? ended : ended.replace(/^has /, 'have ')} in ${areasText(hits)}`;
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

/** `"block"`, perhaps in several environments; `3 scenarios`. */
function namedText(hits: readonly Flip[]): string {
  return isOneTitle(hits) ? `"${hits[0]?.scenario.title}"` : counted(hits.length, 'scenario');
}

function has(members: readonly Member[]): string {
  return isOneTitle(hitsOf(members)) ? 'has' : 'have';
}

function isOneTitle(hits: readonly Flip[]): boolean {
  return new Set(hits.map(({ scenario }) => scenario.title)).size === 1;
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
