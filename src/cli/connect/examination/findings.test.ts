import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange, Phase } from '../../../http/index.ts';
import { fakeExchange, fakeResponse, fakeText } from '../../../testing/contract/fake-response.ts';
import { testEnvironment } from '../../../testing/test-environment.ts';
import { addressFinding, clearTextFindings, refusalFinding } from './examine-areas.ts';
import { consentFinding, journalFinding, secretFileFindings, sharedUsersFindings } from './examine-environment.ts';
import { trustFinding } from './examine-machine.ts';
import type { Finding, Severity } from './findings.ts';

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
const read = (status: number, body: unknown) => fakeExchange({ response: fakeResponse(status, body, {}) });
const refused = (exchange: Exchange) => refusalFinding(exchange, 'its token')[0];
const journal = { path: 'j', pending: [], damaged: [], isLive: false };
const change = (name: string, userId: string) =>
  ({ change: name, undo: `un${name}`, args: {}, userId, at: '' }) as never;

const near = testEnvironment('http://127.0.0.1:1');
const somebody = { userId: 'somebody-else' };

const inClear = (...addresses: string[]) =>
  clearTextFindings(addresses.map((address, index) => ({ address, area: index === 0 ? 'friends' : 'stories' })))[0];

/** Findings with the expected severity and text, cure included. */
const rows: [found: Finding | undefined, severity: Severity | undefined, said: RegExp][] = [
  [trustFinding({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }), 'warning', /NODE_TLS_REJECT_UNAUTHORIZED=0.*remove it/],
  [trustFinding({}), 'fine', /are checked/],
  [inClear('https://a.test/', 'http://127.0.0.1:1/', 'http://localhost/'), undefined, /^$/],
  [
    inClear('http://a.test/', 'http://b.test/x/'),
    'warning',
    /tokens and keys go to a\.test and b\.test in the clear: FRIEND_URL and STORY_URL begin with http:.*use https/,
  ],
  [found(answered(404)), 'fine', /responds in 12 ms\. $/],
  [found(failed('dns', 'ENOTFOUND')), 'problem', /^DNS.*check the host name in FRIEND_URL/],
  [found(failed('connect', 'ECONNREFUSED')), 'problem', /^connection.*check the port in FRIEND_URL/],
  [
    found(failed('connect', 'ECONNREFUSED'), ['https_proxy']),
    'problem',
    /https_proxy names a proxy, but this environment connects directly: PROXY=env/,
  ],
  [found(failed('tls', 'DEPTH_ZERO_SELF_SIGNED_CERT')), 'problem', /^TLS.*NODE_EXTRA_CA_CERTS/],
  [found(failed('tls', 'ERR_SSL_WRONG_VERSION_NUMBER')), 'problem', /^TLS.*may speak http:/],
  [found(answered(200, { certificateValidTo: NOW + 80 * DAY })), 'fine', /expires in 80 days/],
  [found(answered(200, { certificateValidTo: NOW + 3 * DAY })), 'warning', /expires in 3 days.*renew it/],
  [
    found(answered(200, { certificateValidTo: NOW + 3 * DAY, certificateAuthority: 'R3' })),
    'warning',
    /the certificate of its authority "R3" expires in 3 days.*let the server send/,
  ],
  [refused(read(401, { a: 1 })), 'fine', /^refusals: a read without its token is refused with an error status \(401\)/],
  [refused(read(500, '')), undefined, /^$/],
  [
    refused(fakeExchange({ failure: { phase: 'connect', code: 'ECONNRESET', side: 'service', reason: 'reset' } })),
    undefined,
    /^$/,
  ],
  [
    refused(read(200, [])),
    'warning',
    /without its token has status 200, too: \[\]\. if that response is a refusal, set SUCCESS_WHEN/,
  ],
  [
    refused(read(200, { code: 9 })),
    'warning',
    /200, too: \{"code":9\}\. if that response is a refusal, set SUCCESS_WHEN/,
  ],
  [
    found(answered(200, { certificateValidTo: NOW - 695 * DAY })),
    'warning',
    /its certificate expired 695 days ago.*renew it/,
  ],
  [consentFinding('staging', false), 'note', /npx sextant check --env staging/],
  [consentFinding('staging', true), 'fine', /given/],
  [journalFinding('staging', []), 'fine', /nothing left behind/],
  [journalFinding('staging', [{ ...journal, pending: [change('a', 'x')], isLive: true }]), 'fine', /1 run under way/],
  [
    journalFinding('staging', [{ ...journal, pending: [change('block', 'ben'), change('love', 'x')] }]),
    'warning',
    /2 changes left behind by an earlier run: block \{\} of ben, love \{\} of x.*npx sextant undo --env staging/,
  ],
  [journalFinding('staging', [{ ...journal, damaged: [1] }]), 'problem', /j is damaged.*undo/],
  [
    sharedUsersFindings(near, [{ ...near, name: 'far', isLoopback: false }])[0],
    'note',
    /act as \S+ and \S+, and so do runs in far; runs at the same time/,
  ],
  [
    sharedUsersFindings({ ...near, isLoopback: false }, [])[0],
    'note',
    /so do runs on every other machine .*PROVISION_URL/,
  ],
  [sharedUsersFindings(near, [{ ...near, allowedEffects: new Set(['read']) }])[0], undefined, /^$/],
  [
    sharedUsersFindings(near, [{ ...near, caller: { ...near.caller, ...somebody }, friend: somebody }])[0],
    undefined,
    /^$/,
  ],
  [sharedUsersFindings({ ...near, allowedEffects: new Set(['read']) }, [near])[0], undefined, /^$/],
  [secretFileFindings('s.env', undefined)[0], undefined, /^$/],
  [secretFileFindings('s.env', 0o100600)[0], 'fine', /only by its owner/],
  [secretFileFindings('s.env', 0o100644)[0], 'warning', /mode 0644.*chmod 600 s\.env/],
];
for (const [finding, severity, said] of rows)
  test(`${severity ?? 'nothing to say'}: ${said.source}`, () => {
    assert.equal(finding?.severity, severity);
    assert.match(finding ? `${finding.subject}: ${finding.text}. ${finding.cure ?? ''}` : '', said);
    // Every warning and every problem has a cure.
    if (['warning', 'problem'].includes(severity ?? '')) assert.ok(finding?.cure);
  });
