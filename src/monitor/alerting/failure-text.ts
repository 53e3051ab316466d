import type { Phase } from '../../client/index.ts';
import { counted, listed } from '../../config/index.ts';
import { areaTitle } from '../../spec/index.ts';
import { type Flip, familyOf } from '../status/flip.ts';
import { type CauseOfHits, causesOfHits, extentOf } from '../status/hits.ts';
import { cut } from '../status/texts.ts';

/** What is said of a scenario in an incident, by what that is about. */
export const familyTexts = {
  down: { began: 'went down', lasting: 'been failing', ended: 'is back' },
  skipped: { began: 'can no longer run', lasting: 'not run', ended: 'can run again' },
  unjudged: { began: "can't be judged", lasting: 'not been judged', ended: 'can be judged again' },
} as const;

export type Kind = 'down' | 'more' | 'still' | 'up';

/** The headline of scenarios: their expectations broke, or they can't run or be judged. `news`: how many of them are new; `lasted` is a duration as text. */
export function scenarioText(hits: readonly Flip[], kind: Kind, lasted: string, news = hits.length): string {
  const [first] = hits;
  const family = first ? familyOf(first.cause) : 'down';
  if (family !== 'down') return lackText(hits, kind, lasted, family);
  if (kind === 'up')
    return `${allText(hits)} ${isOneTitle(hits) ? 'has' : 'have'} recovered in ${areasText(hits)} after ${lasted}`;
  const text = causeText(kind === 'more' ? hits.slice(0, news) : hits, true);
  if (kind === 'still') return `${text}, for ${lasted}`;
  return kind === 'more' && news < hits.length ? `${text}; ${hits.length} scenarios are failing now` : text;
}

/** From so many addresses on that answer with one status, what is behind them is the cause, and not each operation. */
const ADDRESSES_OF_SERVICE = 3;

/** What broke first, in a sentence: `Friends: unblock answers 500 (3 scenarios), and 1 more cause`. */
export function causeText(hits: readonly Flip[], isCounted: boolean): string {
  const number = (of: readonly Flip[]) => (isCounted ? ` (${counted(of.length, 'scenario')})` : '');
  const { addresses, of } = extentOf(hits);
  const codes = new Set(hits.map(({ cause }) => cause.pattern?.code));
  const [code] = codes;
  if (code !== undefined && codes.size === 1 && addresses.length >= ADDRESSES_OF_SERVICE)
    return `${of > 0 ? `${addresses.length} of ${of}` : addresses.length} addresses answer ${code}${number(hits)}`;
  const [first, ...others] = causesOfHits(hits);
  if (!first) return '';
  const more = others.length > 0 ? `, and ${counted(others.length, 'more cause')}` : '';
  return `${sentenceOf(first)}${number(first.hits)}${more}`;
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

/** Longest sentence, in characters: an expectation of the team's own can be longer. */
const LONGEST = 160;

/** Without its call (an earlier version didn't keep it), a failure is named by what failed. */
function sentenceOf({ sentence, hits }: CauseOfHits): string {
  if (hits[0]?.call) return cut(sentence, LONGEST);
  return `${namedText(hits)} ${isOneTitle(hits) ? 'is' : 'are'} failing in ${areasText(hits)}`;
}

/** `"block"`, perhaps in several environments; `3 scenarios`. */
export function namedText(hits: readonly Flip[]): string {
  return isOneTitle(hits) ? `"${hits[0]?.scenario.title}"` : counted(hits.length, 'scenario');
}

export function isOneTitle(hits: readonly Flip[]): boolean {
  return new Set(hits.map(({ scenario }) => scenario.title)).size === 1;
}

function lackText(hits: readonly Flip[], kind: Kind, lasted: string, family: 'skipped' | 'unjudged'): string {
  const { began, ended } = familyTexts[family];
  const where = areasText(hits);
  const what = hits[0]?.reason ?? 'something is missing';
  if (kind === 'up') return `${allText(hits)} ${ended} in ${where} after ${lasted}`;
  return kind === 'more' && !isOneTitle(hits)
    ? `more scenarios ${began} in ${where}, ${hits.length} now: ${what}`
    : `${namedText(hits)} ${began} in ${where}: ${what}`;
}

function allText(hits: readonly Flip[]): string {
  const named = namedText(hits);
  return isOneTitle(hits) ? named : hits.length === 2 ? 'both scenarios' : `all ${named}`;
}

/** `Friends`, `Friends and Stories`, `4 of 6 areas`. */
function areasText(hits: readonly Flip[]): string {
  const titles = extentOf(hits).areas.map((area) => areaTitle(area));
  if (titles.length > 3) return `${titles.length} areas`;
  return listed(titles) || 'all areas';
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

/** The headline where nothing usable came back. `lasted` is a duration as text. */
export function connectionText(hits: readonly Flip[], kind: Kind, lasted: string): string {
  const { phase = 'connect' } = hits[0]?.cause.pattern ?? {};
  const { hosts, environments } = extentOf(hits);
  const [first = ''] = hosts;
  const where = hosts.size === 1 ? first : `${hosts.size} hosts`;
  const texts = sentences[phase === 'response' ? 'processing' : phase];
  const [down, still, up] = texts.map((text) => text.replace('@', () => where).replace('#', lasted));
  if (kind === 'up') return `${up} after ${lasted}`;
  const now = kind === 'more' && environments.length < 2 ? 'now ' : '';
  return `${kind === 'still' ? still : down} (${now}${extentText(hits)})`;
}

/** `6 of 6 addresses refused`, `Friends: 1 of 6 addresses timed out`; `refused` where the headline names several environments. */
function extentText(hits: readonly Flip[]): string {
  const { areas, addresses, of, environments } = extentOf(hits);
  const { code = 'UNREACHABLE' } = hits[0]?.cause.pattern ?? {};
  const what = endings[code] ?? `: ${code}`;
  if (environments.length > 1) return what.replace(/^:? /, '');
  const named = areas.map((area) => areaTitle(area)).join(', ');
  if (of <= 1) return `${named || 'all areas'}${what}`;
  return `${addresses.length < of ? `${named}: ` : ''}${addresses.length} of ${of} addresses${what}`;
}
