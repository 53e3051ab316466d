import { type Redacted, redactJson } from '../../client/index.ts';
import type { Notice } from '../../monitor/alerting/notice.ts';

/** For tests: a notice whose text looks like markup. */
export function fakeNotice(kind: Notice['kind'], more: Partial<Notice> = {}): Redacted<Notice> {
  const at = new Date();
  const since = new Date(at.getTime() - 60_000).toISOString();
  return redactJson<Notice>({
    kind,
    incident: 'i-1',
    environment: 'staging',
    cause: { kind: 'address', address: 'http://friends.test/' },
    headline: `staging: http://friends.test/ ${kind}`,
    at: at.toISOString(),
    since,
    ...(kind === 'up' ? { until: new Date(at.getTime() - 1_000).toISOString() } : {}),
    durationMs: 60_000,
    scenarios: [
      {
        title: 'block',
        area: 'friends',
        verdict: 'failed',
        grade: 'documented',
        reason: 'documented: the list mentions <b> & more',
        curl: "curl -sS 'http://friends.test/v1' -H 'Authorization: bearer ***'",
        since,
        isOpen: kind !== 'up',
      },
    ],
    link: 'http://page.test/incidents#incident-1',
    ...more,
  });
}
