import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange, Phase } from '../../http/index.ts';
import type { AreaId } from '../../service/index.ts';
import { fakeExchange as unanswered } from '../../testing/contract/fake-response.ts';
import { fakeExchange, fakeResult } from '../../testing/monitor/fakes.ts';
import type { Verdict } from '../../verdict/index.ts';
import { certificatesOf, certificateWarnings } from '../ending/certificates.ts';
import { afterQuarantine, verdictOfStopped } from '../ending/end-scenario.ts';
import { hostFailures } from '../ending/hosts.ts';
import { NoTimeLeft } from '../ending/index.ts';
import { exitCode, overallVerdict, type ScenarioResult } from '../index.ts';

const DAY_MS = 86_400_000;

const verdictRows: readonly (readonly [verdicts: readonly Verdict[], overall: Verdict, exit: 0 | 1 | 3])[] = [
  [['passed', 'passed'], 'passed', 0],
  [['passed', 'slow'], 'slow', 0],
  [['passed', 'skipped'], 'passed', 0],
  [['passed', 'unknown', 'slow'], 'unknown', 3],
  [['unknown', 'drifted'], 'drifted', 1],
  [['drifted', 'refused'], 'refused', 1],
  [['refused', 'unreachable', 'unknown'], 'unreachable', 1],
  [['unreachable', 'failed', 'passed'], 'failed', 1],
  [['skipped', 'skipped'], 'unknown', 3],
  [[], 'unknown', 3],
];

for (const [verdicts, expected, exit] of verdictRows)
  test(`${verdicts.join(' and ') || 'nothing'}: ${expected}, exit ${exit}`, () => {
    assert.equal(overallVerdict(verdicts), expected);
    assert.equal(exitCode(overallVerdict(verdicts)), exit);
  });

function exchange(url: string, rest: Partial<Exchange>): Exchange {
  return fakeExchange({ request: { method: 'GET', url, headers: {}, correlation: {} }, ...rest });
}

test('certificates are listed by address, the one that ends first, in whole days', () => {
  const seen = [
    exchange('https://a.example/v1/x', { certificateValidTo: 20 * DAY_MS }),
    exchange('https://a.example/v1/y', { certificateValidTo: 14 * DAY_MS - 1 }),
    exchange('https://b.example:8443/v1/x', { certificateValidTo: 14 * DAY_MS, certificateAuthority: 'R3' }),
    exchange('http://c.example/v1/x', {}),
  ];
  const certificates = certificatesOf(seen, 0);
  const shown = certificates.map(({ address, daysLeft }) => `${address} ${daysLeft}`);
  assert.deepEqual(shown, ['https://a.example 13', 'https://b.example:8443 14']);
  assert.deepEqual(certificateWarnings(certificates, 14), [
    'the certificate of https://a.example expires in 13 days (1970-01-14)',
  ]);
  assert.deepEqual(certificateWarnings(certificatesOf(seen, 15 * DAY_MS), 1), [
    'the certificate of https://a.example expired 2 days ago (1970-01-14)',
    'the certificate of the authority "R3", in the chain of https://b.example:8443, expired 1 day ago (1970-01-15)',
  ]);
});

const silence = (code: string) => unanswered({ failure: { side: 'service', phase: 'processing', reason: '', code } });
const outOfTimeRows: readonly (readonly [title: string, made: readonly Exchange[], expected: Verdict])[] = [
  ['no call had its whole time', [silence('ABORTED')], 'skipped'],
  [
    'a call had no response in all of its time, the next one was stopped',
    ['DEADLINE', 'ABORTED'].map(silence),
    'unreachable',
  ],
  ['another call had a response', [silence('DEADLINE'), fakeExchange()], 'skipped'],
];

for (const [title, made, expected] of outOfTimeRows)
  test(`the time of a run is up, and ${title}: ${expected}`, () => {
    const { verdict } = verdictOfStopped(new Error('stopped'), made, { signal: AbortSignal.abort(new NoTimeLeft()) });
    assert.equal(verdict, expected);
  });

function result(title: string, area: AreaId, url: string, phase: Phase, code: string): ScenarioResult {
  const failing = exchange(url, { area, failure: { side: 'service', reason: 'so it is', phase, code } });
  return fakeResult('unreachable', 0, { title, area, failing });
}

test('failures of one address in one phase are reported once, with what they took down', () => {
  const hosts = hostFailures([
    result('one', 'friends', 'https://a.example/friends/v1/x', 'connect', 'ECONNREFUSED'),
    result('two', 'profile', 'https://a.example/profile/v1/y', 'connect', 'ECONNREFUSED'),
    result('three', 'stories', 'https://b.example/v1/x', 'dns', 'ENOTFOUND'),
    result('four', 'stories', 'https://c.example/v1/x', 'processing', 'DEADLINE'),
    result('five', 'stories', 'https://c.example/v1/x', 'connect', 'ABORTED'),
  ]);
  assert.deepEqual(
    hosts.map(({ address, phase, areas, scenarios }) => [address, phase, areas, scenarios].join(' ')),
    ['https://a.example connect friends,profile one,two', 'https://b.example dns stories three'],
  );
  assert.match(hosts[0]?.curl ?? '', /^curl -sS 'https:\/\/a\.example\/friends/);
});

const entry = { title: 'love', owner: 'ann', until: '2026-12-24', reason: 'STORY-1' };
const during = Date.parse('2026-12-01T00:00:00Z');
const afterwards = Date.parse('2026-12-25T00:00:00Z');
const judged = (verdict: Verdict) => fakeResult(verdict, 0, { title: 'love', reason: 'assumed: x — 500' });
const until = 'quarantined until 2026-12-24 (ann): STORY-1';
const over = 'its quarantine ended on 2026-12-24 (ann): remove it from quarantine.json, or give a later date';

const rows: [before: Verdict, now: number, after: Verdict, reason: string][] = [
  ['failed', during, 'skipped', `${until} — failed: assumed: x — 500`],
  ['unreachable', during, 'skipped', `${until} — unreachable: assumed: x — 500`],
  ['unknown', during, 'skipped', `${until} — unknown: assumed: x — 500`],
  ['failed', afterwards, 'failed', `assumed: x — 500; ${over}`],
  ['passed', afterwards, 'unknown', `it passed, but ${over}`],
  ['skipped', afterwards, 'skipped', 'assumed: x — 500'],
  ['passed', during, 'passed', 'assumed: x — 500'],
];
for (const [before, now, verdict, reason] of rows)
  test(`${before} ${now === during ? 'during' : 'after'} its quarantine: ${verdict}`, () => {
    const counted = afterQuarantine(judged(before), [entry], 'qa', now);
    assert.deepEqual([counted.verdict, counted.reason], [verdict, reason]);
  });

test('a scenario that passes in quarantine is worth a word, and others are left alone', () => {
  assert.deepEqual(afterQuarantine(judged('passed'), [entry], 'qa', during).warnings, [`passed, although ${until}`]);
  const other = { ...judged('failed'), title: 'block' };
  assert.equal(afterQuarantine(other, [entry], 'qa', during), other);
});
