import { listed } from '../../config/index.ts';
import { addedEnvironments, type DueNotice, type Ended } from '../status/due-notice.ts';
import { type Flip, familyOf, isConnection, isUnproven } from '../status/flip.ts';
import { extentOf } from '../status/hits.ts';
import type { Incident, Member } from '../status/incident.ts';
import { durationText } from '../status/texts.ts';
import { isLast } from '../status/told.ts';
import {
  causeText,
  connectionText,
  familyTexts,
  inPast,
  isOneTitle,
  type Kind,
  namedText,
  scenarioText,
} from './failure-text.ts';

/** The alert in one line, subject first: it is an e-mail's subject and a pager's text. `now` is an epoch, in ms. */
export function headlineOf(notice: DueNotice, now: number): string {
  const { kind, open, ended } = notice;
  if (kind === 'part') return partText(notice, now);
  if (kind === 'over') return overText(notice);
  const added = addedEnvironments(notice);
  if (added.size > 0) {
    const [news, known] = [true, false].map((isNew) =>
      open.filter(({ scenario }) => added.has(scenario.environment) === isNew),
    ) as [Flip[], Flip[]];
    return `${headlineOf({ ...notice, kind: 'down', open: news }, now)}; ${sinceText(known, now)}`;
  }
  const hits = kind === 'up' ? hitsOf(ended) : open;
  const lasted = kind === 'still' && !isOut(hits) ? forText(hits, now) : durationText(lastedMs(notice, now));
  return `${environmentsText(affected(notice))}: ${textOf(hits, kind, lasted, notice.news)}`;
}

/** The environments that a notice is about; the first ones name those that were only seen to fail, too. */
export function affected({ kind, open, ended, flapping = [] }: DueNotice): readonly string[] {
  if (kind === 'down' || kind === 'more') return extentOf(open).environments;
  const about = kind === 'still' ? open : hitsOf(ended);
  return environmentsOf(kind === 'part' ? [...about, ...open, ...flapping] : about);
}

/** How long what a notice names has been wrong, or was. */
export function lastedMs({ kind, open, ended }: DueNotice, now: number): number {
  if (!isLast(kind)) return Math.max(0, now - earliest(open));
  const until = Math.max(...ended.map(({ leave }) => leave.since));
  return Math.max(0, until - earliest(hitsOf(ended)));
}

/** What is wrong, or was wrong: the title of an incident on its page. */
export function incidentTitle(incident: Incident): string {
  const hits = incident.subject;
  const isFailing = !isOut(hits) && hits.every(({ cause }) => familyOf(cause) === 'down');
  const text = isFailing ? causeText(hits, false) : textOf(hits, 'down', '');
  const told = incident.until === undefined ? text : inPast(text);
  return told.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

function textOf(hits: readonly Flip[], kind: Kind, lasted: string, news?: number): string {
  return isOut(hits) ? connectionText(hits, kind, lasted) : scenarioText(hits, kind, lasted, news);
}

function isOut(hits: readonly Flip[]): boolean {
  return hits.length > 0 && hits.every(({ cause }) => isConnection(cause));
}

/** `aa is back; bb has been down for 40 min`, `aa: "love" is back; "block" has been failing for 40 min`. */
function partText({ open, ended, flapping = [] }: DueNotice, now: number): string {
  const hits = hitsOf(ended);
  const left = environmentsOf([...open, ...flapping]);
  const isApart = ended.every(({ isBack, hit }) => isBack && !left.includes(hit.scenario.environment));
  const named = (names: readonly string[]) => (isApart ? `${environmentsText(names)}: ` : '');
  const whole = environmentsOf(hits);
  const isWhole = isApart && hits.every(({ cause }) => isConnection(cause));
  const first = isWhole
    ? `${environmentsText(whole)} ${whole.length === 1 ? 'is' : 'are'} back`
    : `${named(whole)}${endingsText(ended)}`;
  const text = `${first}; ${open.length === 0 ? quietText(flapping, isApart) : isApart ? sinceText(open, now) : failingForText(open, now)}`;
  return isApart ? text : `${environmentsText([...new Set([...left, ...whole])])}: ${text}`;
}

/** Of what is neither told as down nor as back. */
function quietText(flapping: readonly Flip[], isApart: boolean): string {
  if (flapping.length === 0) return 'the rest is in maintenance';
  const where = isApart ? `${environmentsText(environmentsOf(flapping))}: ` : '';
  return `${where}${namedText(flapping)} ${isOneTitle(flapping) ? 'is' : 'are'} flapping`;
}

/** `bb has been down for 40 min`, `bb: "block" has been failing for 40 min`. */
function sinceText(open: readonly Flip[], now: number): string {
  const names = environmentsOf(open);
  if (!open.every(({ cause }) => isConnection(cause)))
    return `${environmentsText(names)}: ${failingForText(open, now)}`;
  return `${environmentsText(names)} ${names.length === 1 ? 'has' : 'have'} been down for ${forText(open, now)}`;
}

function failingForText(open: readonly Flip[], now: number): string {
  const has = isOneTitle(open) ? 'has' : 'have';
  const [first] = open;
  const { lasting } = familyTexts[first ? familyOf(first.cause) : 'down'];
  return `${namedText(open)} ${has} ${lasting} for ${forText(open, now)}`;
}

function forText(open: readonly Flip[], now: number): string {
  const since = open.map((hit) => hit.since);
  return `${Math.min(...since) === Math.max(...since) ? '' : 'up to '}${durationText(now - Math.min(...since))}`;
}

/** `staging: "block" is no longer monitored, after 5 min`. */
function overText(notice: DueNotice): string {
  const named = environmentsText(affected(notice));
  const text = endingsText(notice.ended) || 'nothing of it is left';
  return `${named ? `${named}: ` : ''}${text}, after ${durationText(lastedMs(notice, 0))}`;
}

function endingsText(ended: readonly Ended[]): string {
  const texts = [...Map.groupBy(ended, ({ leave, isBack }) => endingOf(leave, isBack))].map(([ending, members]) => {
    const hits = hitsOf(members);
    return `${namedText(hits)} ${isOneTitle(hits) ? ending : ending.replace(/^is /, 'are ').replace(/^fails /, 'fail ')}`;
  });
  return texts.join(', ');
}

/** How a scenario left an incident: `is back`; by default whatever became of it since. */
export function endingOf(leave: Flip, isBack = leave.to === 'up' || leave.to === 'degraded'): string {
  const { from, to } = leave;
  if (isBack) return familyTexts[from === 'skipped' || from === 'unjudged' ? from : 'down'].ended;
  if (to === 'pending') return isUnproven(leave) ? "can't be proved here, as before" : 'is no longer monitored';
  if (to === 'skipped') return familyTexts.skipped.began;
  return to === 'unjudged' ? `${familyTexts.unjudged.began} any more` : 'fails in another way';
}

function hitsOf(members: readonly Member[]): Flip[] {
  return members.map(({ hit }) => hit);
}

function environmentsOf(hits: readonly Flip[]): string[] {
  return [...new Set(hits.map(({ scenario }) => scenario.environment))];
}

function earliest(hits: readonly Flip[]): number {
  return Math.min(...hits.map(({ since }) => since));
}

const NAMED = 3;

/** `staging` · `staging and production` · `a, b and 48 more environments`. */
export function environmentsText(names: readonly string[]): string {
  if (names.length > NAMED)
    return `${names.slice(0, NAMED - 1).join(', ')} and ${names.length - NAMED + 1} more environments`;
  return listed(names);
}
