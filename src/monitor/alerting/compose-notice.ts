import { type Incident, latestHits } from '../status/incident.ts';
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

/** The notice of an incident. */
export function composeNotice(incident: Incident, kind: NoticeKind, { instance, pageUrl, now }: NoticeContext): Notice {
  const { id, environment, cause, since, until } = incident;
  const iso = (at: number) => new Date(at).toISOString();
  const durationMs = Math.max(0, (until ?? now) - since);
  return {
    kind,
    incident: `${instance}-${id}`,
    environment,
    cause,
    headline: headlineOf(incident, kind, now),
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
    link: `${pageUrl}incidents/${id}`,
  };
}
