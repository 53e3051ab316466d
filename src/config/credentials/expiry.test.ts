import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentText, loadText } from '../../testing/test-environment.ts';
import { credentialCure, credentialEnds, credentialEndText, endingCredentials } from './issued-credentials.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenUntil = (at: number) => `${part({ alg: 'none' })}.${part({ exp: at / 1000 })}.signature`;

const rows: [name: string, endsAt: number, warning: string, text: string | undefined][] = [
  ['in an hour', NOW + 3_600_000, '3d', 'ACCESS_TOKEN expires at 2026-11-22 13:00 UTC, and nothing renews it'],
  ['in an hour, where half an hour is enough', NOW + 3_600_000, '30m', undefined],
  ['in a week', NOW + 7 * 86_400_000, '3d', undefined],
  ['yesterday', NOW - 86_400_000, '0s', 'ACCESS_TOKEN expired at 2026-11-21 12:00 UTC, and nothing renews it'],
];
for (const [name, endsAt, CREDENTIAL_WARNING, text] of rows)
  test(`a token that ends ${name}`, () => {
    const keys = { ACCESS_TOKEN: tokenUntil(endsAt), CREDENTIAL_WARNING };
    const environment = loadText('ending', environmentText('http://127.0.0.1:1', keys));
    assert.deepEqual(credentialEnds(environment), [{ key: 'ACCESS_TOKEN', endsAt, isRenewed: false }]);
    const ending = endingCredentials(environment, NOW);
    assert.deepEqual(
      ending.map((end) => credentialEndText(end, NOW)),
      text ? [text] : [],
    );
    for (const end of ending) assert.equal(credentialCure(end), 'set ACCESS_TOKEN_COMMAND or TOKEN_URL');
  });

const issuer = { ACCESS_TOKEN: undefined, TOKEN_URL: 'https://a.test/t' };
const loopback = { PROXY: 'http://b.test' };
const proxied = { ...loopback, STORY_URL: 'http://a.test' };

/** Each is one clear error, or none. */
const settings: [name: string, keys: Record<string, string | undefined>, problem?: RegExp][] = [
  [
    'a command and a value',
    { API_KEY_COMMAND: 'a' },
    /API_KEY_COMMAND {2}is set as well as API_KEY; remove one of them/,
  ],
  [
    'a command and an issuer',
    { ...issuer, ACCESS_TOKEN_COMMAND: 'a' },
    /ACCESS_TOKEN_COMMAND {2}is set as well as TOKEN_URL/,
  ],
  ['an issuer and a value', { TOKEN_URL: 'https://a.test/t' }, /TOKEN_URL {2}is set as well as ACCESS_TOKEN/],
  [
    'an issuer in the clear',
    { ...issuer, TOKEN_URL: 'http://a.test/t' },
    /TOKEN_URL .*would get secrets in the clear; expected https/,
  ],
  [
    'a user without a password',
    { ...issuer, TOKEN_USERNAME: 'ann' },
    /TOKEN_PASSWORD {2}is missing; TOKEN_USERNAME needs it/,
  ],
  ['a scope without an issuer', { TOKEN_SCOPE: 'a' }, /TOKEN_SCOPE {2}needs TOKEN_URL/],
  ['only an issuer', issuer],
  [
    'a user in the proxy’s address',
    { PROXY: 'http://ann:secret@a.test' },
    /PROXY {2}contains a user or a password; set PROXY_USERNAME and PROXY_PASSWORD/,
  ],
  ['exceptions without a proxy', { NO_PROXY: 'a.test' }, /NO_PROXY {2}needs PROXY/],
  [
    'an address in the clear through a proxy',
    { ...proxied, NO_PROXY: '127.0.0.1' },
    /STORY_URL {2}is http:\/\/, so its credentials would reach the proxy in the clear/,
  ],
  ['the same with consent', { ...proxied, PROXY_IN_CLEAR: 'yes' }],
  ['a pin that is none', { CONNECT_TO: 'a.test' }, /CONNECT_TO {2}"a.test" is not name:port=address:port/],
  ['a pin to no port', { CONNECT_TO: 'a.test=b.test:0' }, /CONNECT_TO {2}.* is not name:port=address:port/],
  ['a pin of no address', { CONNECT_TO: '127.0.0.1:2=b.test' }, /names 127.0.0.1:2, which is in no address here/],
  ['a pin of an address', { CONNECT_TO: '127.0.0.1:1=[::1]:8443' }],
  [
    'a pin of this machine to another',
    { CONNECT_TO: '127.0.0.1:1=b.test' },
    /CONNECT_TO {2}leads 127\.0\.0\.1 to b\.test, which is another machine/,
  ],
  [
    'loopback through a proxy elsewhere: it is that machine’s',
    loopback,
    /FRIEND_URL {2,}is http:\/\/, so its credentials would reach the proxy in the clear/,
  ],
  ['unless it is left out', { ...loopback, NO_PROXY: '127.0.0.1' }],
  [
    'loopback through a proxy elsewhere, agreed: its secrets are not for a file that is committed',
    { ...loopback, PROXY_IN_CLEAR: 'yes' },
    /ACCESS_TOKEN/,
  ],
  [
    'a pin past a proxy',
    { ...proxied, PROXY_IN_CLEAR: 'yes', CONNECT_TO: 'a.test=b.test' },
    /CONNECT_TO {2}can't lead http:\/\/a.test past its proxy/,
  ],
  [
    'a certificate without a key',
    { CLIENT_CERT_FILE: 'none.pem' },
    /CLIENT_CERT_FILE {2}names a file that can't be read/,
  ],
];
for (const [name, keys, problem] of settings)
  test(`settings: ${name}`, () => {
    const isRemote = 'STORY_URL' in keys;
    const secrets = isRemote ? { ACCESS_TOKEN: undefined, API_KEY: undefined } : {};
    const kept = isRemote ? { MADE_ACCESS_TOKEN: 'a-secret-token', MADE_API_KEY: 'a-secret-key' } : {};
    const load = () => loadText('made', environmentText('http://127.0.0.1:1', { ...keys, ...secrets }), kept);
    if (problem) assert.throws(load, problem);
    else assert.doesNotThrow(load);
  });
