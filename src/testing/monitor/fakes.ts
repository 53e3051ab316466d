import { join } from 'node:path';
import type { Environment, MaintenanceRule } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';
import type { Sending } from '../../monitor/alerting/channel.ts';
import type { Notice } from '../../monitor/alerting/notice.ts';
import { loadSettings, type Settings } from '../../monitor/settings/load.ts';
import { type Redacted, redactJson } from '../../redaction/index.ts';
import { callOf, type Failure, type ScenarioResult } from '../../run/index.ts';
import { type AreaId, areaIds } from '../../service/index.ts';
import { type Grade, type Verdict, verdicts } from '../../verdict/index.ts';
import { fakeExchange as exchangeOf, fakeText } from '../contract/fake-response.ts';
import { environmentText, loadText } from '../test-environment.ts';

/** For tests and benchmarks: a secret that must never appear in any output. */
export const CANARY = 'tok_canary_5b1e7f0c9d';

const loaded = new Map<string, Environment>();

/** For tests and benchmarks: an environment whose addresses don't respond, and whose token is the canary. */
export function fakeEnvironment(name: string, maintenance: readonly MaintenanceRule[] = []): Environment {
  const made = loaded.get(name) ?? loadFake(name);
  loaded.set(name, made);
  return { ...made, monitoring: { ...made.monitoring, maintenance } };
}

function loadFake(name: string): Environment {
  const addresses = Object.fromEntries(areaIds.map((area) => [area, `http://${name}.test/${area}`]));
  const secret = { ACCESS_TOKEN: undefined, API_KEY: undefined };
  const text = environmentText(addresses as Record<AreaId, string>, { ...secret, ALLOWED_EFFECTS: 'read' });
  const ofProcess = (key: string) => `${name.toUpperCase().replaceAll('-', '_')}_${key}`;
  return loadText(name, text, { [ofProcess('ACCESS_TOKEN')]: CANARY, [ofProcess('API_KEY')]: CANARY });
}

/** For tests and benchmarks: a result of the in-process runner. */
export function fakeResult(verdict: Verdict, startedAt: number, more: Partial<ScenarioResult> = {}): ScenarioResult {
  const red = {
    grade: 'documented' as Grade,
    reason: `documented: it works — it did not (${CANARY})`,
    curl: `curl '${CANARY}'`,
    failing: fakeExchange(),
  };
  const run = { title: 'block', area: 'friends', effect: 'read', file: 'block.spec.ts', durationMs: 12 } as const;
  const isDown = verdicts[verdict].health === 'down';
  const result = { ...run, verdict, startedAt, exchanges: [], ...(isDown ? red : {}), ...more };
  return isDown ? { failures: [failureIn(result)], ...result } : result;
}

/** The failure of a result, from a reason in the form `documented: it works — it did not`. */
function failureIn({ verdict, grade = 'assumed', reason = '', failing }: ScenarioResult): Failure {
  const [claim = '', observed = ''] = reason.replace(`${grade}: `, '').split(' — ');
  const call = failing && { call: callOf(failing) };
  const credential = verdict === 'refused' && failing?.response?.status === 401 ? { credential: 'ACCESS_TOKEN' } : {};
  return { verdict, category: verdict, grade, claim, observed, reason, ...call, ...credential };
}

/** Created once, because each creation tries to parse the text as JSON, which takes longer than the rest of a call. */
const response = fakeText(500, CANARY);

export function fakeExchange(more: Partial<Exchange> = {}): Exchange & Required<Pick<Exchange, 'response'>> {
  const url = 'http://e.test/friends/v1/friends/block';
  const request = { method: 'POST', url, headers: {}, correlation: {}, body: CANARY };
  const phases = { connect: 1, processing: 10, transfer: 1 };
  const call = exchangeOf({ operation: 'block', durationMs: 12, phases, request });
  return { ...call, response, ...more };
}

/** For tests and benchmarks: settings with short times and no channels. */
export function quickSettings(data: string, more: Partial<Settings> = {}): Settings {
  const rule = { downAfter: 1, upAfter: 1, remindAfterMs: 3_600_000, gatherMs: 60_000 };
  const usual = loadSettings({ file: join(data, 'none.env'), isNamed: false, flags: {}, process: {} });
  return { ...usual, data, port: 0, confirmAfterMs: 50, rule, ...more };
}

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

/** For tests: options for sending a notice within `ms`. */
export function fakeSending(ms = 120_000): Sending {
  return { key: 'key-1', signal: AbortSignal.timeout(ms), now: Date.now() };
}
