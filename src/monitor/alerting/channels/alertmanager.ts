import type { ChannelType } from '../channel.ts';
import { required, webAddress } from '../keys.ts';
import { severityOf } from '../notice.ts';
import { postJson } from '../post-json.ts';

/** Longer than any sensible REMIND_AFTER: an alert must not resolve itself between two reminders. */
const KEPT_MS = 30 * 86_400_000;

const alertnames = { test: 'SextantTest', expiring: 'SextantCredentialExpiring' } as const;

/** Prometheus Alertmanager, API v2: one alert per incident. */
export const alertmanager: ChannelType = {
  keys: { ALERTMANAGER_URL: required(webAddress, 'base address of Alertmanager, e.g. http://alertmanager:9093') },
  open:
    ({ ALERTMANAGER_URL = '' }) =>
    async (notice, sending) => {
      const url = new URL('api/v2/alerts', ALERTMANAGER_URL.endsWith('/') ? ALERTMANAGER_URL : `${ALERTMANAGER_URL}/`);
      const alert = {
        // Labels are the alert's identity: they must be the same from its first notice to its last.
        labels: {
          alertname: alertnames[notice.kind as keyof typeof alertnames] ?? 'SextantDown',
          severity: severityOf(notice),
          environment: notice.environment,
          address: notice.cause.address,
          incident: notice.incident,
        },
        annotations: {
          summary: notice.headline,
          scenarios: notice.scenarios.map(({ title }) => title).join(', '),
          reason: notice.scenarios[0]?.reason ?? '',
          curl: notice.scenarios[0]?.curl ?? '',
          runbook_url: notice.runbook ?? notice.link,
          verdict: [notice.scenarios[0]?.verdict, notice.scenarios[0]?.grade].filter(Boolean).join(', '),
        },
        startsAt: notice.since,
        endsAt:
          notice.until ?? new Date(Date.parse(notice.at) + (notice.kind === 'test' ? 60_000 : KEPT_MS)).toISOString(),
        generatorURL: notice.link,
      };
      await postJson(url.href, JSON.stringify([alert]), {}, sending);
    },
};
