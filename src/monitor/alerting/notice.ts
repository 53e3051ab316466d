import type { Grade, Verdict } from '../../client/index.ts';
import type { AreaId } from '../../spec/index.ts';
import type { Cause, Flip } from '../status/flip.ts';
import type { Incident } from '../status/incident.ts';
import type { NoticeKind } from '../status/notification-policy.ts';

/** What is told of one scenario of an incident. */
export interface TroubledScenario {
  readonly title: string;
  readonly area: AreaId | 'all';
  readonly verdict: Verdict;
  readonly grade?: Grade;
  readonly reason?: string;
  readonly curl?: string;
  /** ISO 8601. */
  readonly since: string;
  readonly isOpen: boolean;
}

/** What people are told; the same for every channel, and the webhook's body as it is. Times are ISO 8601. */
export interface Notice {
  readonly kind: NoticeKind | 'test';
  /** The same for all notices of one incident. */
  readonly incident: string;
  readonly environment: string;
  readonly cause: Cause;
  /** One line that says it all. */
  readonly headline: string;
  readonly at: string;
  readonly since: string;
  readonly until?: string;
  readonly durationMs: number;
  readonly scenarios: readonly TroubledScenario[];
  /** With "up": earlier notices of the incident that this channel gave up, where it got none of them. */
  readonly undelivered?: readonly (NoticeKind | 'test')[];
  /** The incident on the monitor's page. */
  readonly link: string;
}

export interface NoticeContext {
  /** Names this monitor's history. */
  readonly instance: string;
  /** Base address of the page, with a trailing slash. */
  readonly pageUrl: string;
  /** Epoch, in ms. */
  readonly now: number;
}

/** Puts an incident into the words that people get. */
export function noticeOf(incident: Incident, kind: NoticeKind, { instance, pageUrl, now }: NoticeContext): Notice {
  const { id, environment, cause, since, until, hits } = incident;
  const iso = (at: number) => new Date(at).toISOString();
  const durationMs = Math.max(0, (until ?? now) - since);
  return {
    kind,
    incident: `${instance}-${id}`,
    environment,
    cause,
    headline: headline(incident, kind, durationMs),
    at: iso(now),
    since: iso(since),
    ...(until === undefined ? {} : { until: iso(until) }),
    durationMs,
    scenarios: latestHits(incident).map((flip) => ({
      title: flip.scenario.title,
      area: flip.area,
      verdict: flip.verdict,
      ...(flip.grade ? { grade: flip.grade } : {}),
      ...(flip.reason ? { reason: flip.reason } : {}),
      ...(flip.curl ? { curl: flip.curl } : {}),
      since: iso(flip.since),
      isOpen: incident.open.some(({ title }) => title === flip.scenario.title),
    })),
    link: `${pageUrl}incidents#incident-${hits[0]?.id ?? id}`,
  };
}

/** One entry a scenario, the latest: it may have been hit more than once. */
export function latestHits({ hits }: Pick<Incident, 'hits'>): Flip[] {
  return [...new Map(hits.map((flip) => [flip.scenario.title, flip])).values()];
}

const words: Readonly<Record<NoticeKind, string>> = {
  down: 'is down',
  more: 'is down further',
  still: 'is still down',
  up: 'is well again',
};

function headline(incident: Incident, kind: NoticeKind, durationMs: number): string {
  const { environment, cause } = incident;
  const titles = latestHits(incident).map(({ scenario }) => scenario.title);
  const what = cause.kind === 'host' ? `host ${cause.address}` : cause.address;
  const which = titles.length === 1 ? `"${titles[0]}"` : `${titles.length} scenarios`;
  const time = kind === 'down' ? '' : kind === 'up' ? ` after ${inWords(durationMs)}` : ` since ${inWords(durationMs)}`;
  return `${environment}: ${what} ${words[kind]}${time} (${which})`;
}

/** `failed, documented`; the grade stands there only if the reason doesn't begin with it. */
export function verdictWords(verdict: Verdict, grade: Grade | undefined, reason: string | undefined): string {
  return grade && !reason?.startsWith(`${grade}:`) ? `${verdict}, ${grade}` : verdict;
}

/** `3 h 5 min`, for people. */
export function inWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** The same in lines of plain text: for e-mail and chat. */
export function noticeLines({ headline, scenarios, since, until, link }: Notice): string[] {
  return [
    headline,
    `since ${since}${until ? `, until ${until}` : ''}`,
    ...scenarios.flatMap(({ title, area, verdict, grade, reason, curl, isOpen }) => [
      '',
      `${title} (${area})${isOpen ? '' : ', well again'}: ${verdictWords(verdict, grade, reason)}`,
      ...(reason ? [`  ${reason}`] : []),
      ...(curl ? [`  ${curl}`] : []),
    ]),
    '',
    link,
  ];
}
