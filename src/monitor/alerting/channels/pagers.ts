import { text } from '../../../config/index.ts';
import { type ChannelType, optional, posting, required, webAddress } from '../channel.ts';
import type { Notice } from '../notice.ts';

/** The name of an alert that is no incident, and how grave it is. */
const others = { test: ['SextantTest', 'info'], expiring: ['SextantCredentialExpiring', 'warning'] } as const;

function identityOf(kind: Notice['kind']): readonly [alertname: string, severity: string] {
  return others[kind as keyof typeof others] ?? ['SextantDown', 'critical'];
}

/** PagerDuty Events API v2: one alert per incident, resolved when the incident is. */
export const pagerduty: ChannelType = posting(
  {
    PAGERDUTY_ROUTING_KEY: required(text, 'integration key of the PagerDuty service (Events API v2)'),
    PAGERDUTY_URL: optional(webAddress, 'address of the Events API', 'https://events.pagerduty.com/v2/enqueue'),
  },
  (notice, { PAGERDUTY_ROUTING_KEY = '', PAGERDUTY_URL = '' }) => {
    const event = {
      routing_key: PAGERDUTY_ROUTING_KEY,
      event_action: notice.kind === 'up' ? 'resolve' : 'trigger',
      dedup_key: notice.incident,
      client: 'Sextant',
      client_url: notice.link,
      links: [
        { href: notice.link, text: 'Incident' },
        ...(notice.runbook ? [{ href: notice.runbook, text: 'Runbook' }] : []),
      ],
      payload: {
        // 1,024 characters is the API's limit.
        summary: notice.headline.slice(0, 1_024),
        source: notice.cause.address,
        severity: identityOf(notice.kind)[1],
        timestamp: notice.since,
        component: notice.environment,
        custom_details: { scenarios: notice.scenarios, kind: notice.kind },
      },
    };
    // A test leaves nothing open.
    const events = notice.kind === 'test' ? [event, { ...event, event_action: 'resolve' }] : [event];
    return events.map((body) => ({ url: PAGERDUTY_URL, body }));
  },
);

/** Longer than any sensible REMIND_AFTER: an alert must not resolve itself between two reminders. */
const KEPT_MS = 30 * 86_400_000;

/** Prometheus Alertmanager, API v2: one alert per incident. */
export const alertmanager: ChannelType = posting(
  { ALERTMANAGER_URL: required(webAddress, 'base address of Alertmanager, e.g. http://alertmanager:9093') },
  ({ kind, environment, cause, incident, headline, scenarios, at, since, until, runbook, link }, values) => {
    const { ALERTMANAGER_URL = '' } = values;
    const [first] = scenarios;
    const [alertname, severity] = identityOf(kind);
    const alert = {
      // Labels are the alert's identity: they must be the same from its first notice to its last.
      labels: { alertname, severity, environment, address: cause.address, incident },
      annotations: {
        summary: headline,
        scenarios: scenarios.map(({ title }) => title).join(', '),
        reason: first?.reason ?? '',
        curl: first?.curl ?? '',
        runbook_url: runbook ?? link,
        verdict: [first?.verdict, first?.grade].filter(Boolean).join(', '),
      },
      startsAt: since,
      endsAt: until ?? new Date(Date.parse(at) + (kind === 'test' ? 60_000 : KEPT_MS)).toISOString(),
      generatorURL: link,
    };
    const base = ALERTMANAGER_URL.endsWith('/') ? ALERTMANAGER_URL : `${ALERTMANAGER_URL}/`;
    return { url: new URL('api/v2/alerts', base).href, body: [alert] };
  },
);
