import { text } from '../../../config/index.ts';
import { isLast } from '../../status/due-notice.ts';
import type { ChannelType } from '../channel.ts';
import { optional, required, webAddress } from '../keys.ts';
import { severityOf } from '../notice.ts';
import { postJson } from '../post-json.ts';

/** PagerDuty Events API v2: one alert per incident, resolved when the incident is. */
export const pagerduty: ChannelType = {
  keys: {
    PAGERDUTY_ROUTING_KEY: required(text, 'integration key of the PagerDuty service (Events API v2)'),
    PAGERDUTY_URL: optional(webAddress, 'address of the Events API', 'https://events.pagerduty.com/v2/enqueue'),
  },
  open:
    ({ PAGERDUTY_ROUTING_KEY = '', PAGERDUTY_URL = '' }) =>
    async (notice, sending) => {
      const event = {
        routing_key: PAGERDUTY_ROUTING_KEY,
        event_action: isLast(notice.kind) ? 'resolve' : 'trigger',
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
          severity: severityOf(notice),
          timestamp: notice.since,
          component: notice.environment,
          custom_details: { scenarios: notice.scenarios, kind: notice.kind },
        },
      };
      await postJson(PAGERDUTY_URL, JSON.stringify(event), {}, sending);
      // A test leaves nothing open.
      if (notice.kind === 'test')
        await postJson(PAGERDUTY_URL, JSON.stringify({ ...event, event_action: 'resolve' }), {}, sending);
    },
};
