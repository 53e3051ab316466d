import { extentOf } from '../status/extent.ts';
import { type Incident, latestHits, openIn } from '../status/incident.ts';
import type { NoticeKind } from '../status/notification-policy.ts';
import { headlineOf } from './headline.ts';
import type { Notice } from './notice.ts';

export interface NoticeContext {
  /** Identifies this monitor's history. */
  readonly instance: string;
  /** Base address of the page, with a trailing slash. */
  readonly pageUrl: string;
  /** Epoch, in ms. */
  readonly now: number;
}

/** A host that many environments share can take thousands of scenarios with it. */
const MOST_SCENARIOS = 50;

/** The notice of an incident. */
export function composeNotice(incident: Incident, kind: NoticeKind, { instance, pageUrl, now }: NoticeContext): Notice {
  const { id, environment, cause, since, until } = incident;
  const iso = (at: number) => new Date(at).toISOString();
  const durationMs = Math.max(0, (until ?? now) - since);
  const { environments } = extentOf(incident);
  const isOpen = openIn(incident);
  const hits = latestHits(incident);
  const ordered = [
    ...hits.filter(({ scenario }) => isOpen(scenario)),
    ...hits.filter(({ scenario }) => !isOpen(scenario)),
  ];
  return {
    kind,
    incident: `${instance}-${id}`,
    environment,
    ...(environments.length > 1 ? { environments } : {}),
    cause,
    headline: headlineOf(incident, kind, now),
    at: iso(now),
    since: iso(since),
    ...(until === undefined ? {} : { until: iso(until) }),
    durationMs,
    scenarios: (hits.length > MOST_SCENARIOS ? ordered : hits).slice(0, MOST_SCENARIOS).map((flip) => ({
      ...(environments.length > 1 ? { environment: flip.scenario.environment } : {}),
      title: flip.scenario.title,
      area: flip.area,
      verdict: flip.verdict,
      ...(flip.grade ? { grade: flip.grade } : {}),
      ...(flip.reason ? { reason: flip.reason } : {}),
      ...(flip.curl ? { curl: flip.curl } : {}),
      since: iso(flip.since),
      isOpen: isOpen(flip.scenario),
    })),
    ...(hits.length > MOST_SCENARIOS ? { furtherScenarios: hits.length - MOST_SCENARIOS } : {}),
    link: `${pageUrl}incidents/${id}`,
  };
}
