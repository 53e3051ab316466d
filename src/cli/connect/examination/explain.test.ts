import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operation } from '../../../service/index.ts';
import { fakeExchange, fakeResponse, fakeText } from '../../../testing/contract/fake-response.ts';
import { connectionCure, explainResponse } from './explain.ts';

const rows: [name: string, id: 'listBlocked' | 'reportOptions', status: number, said: string][] = [
  ['a list without entries', 'listBlocked', 204, 'accepted: accepted (204)'],
  ['a list without a body', 'listBlocked', 200, 'odd: 200, but the body is empty'],
  ['another read without a body', 'reportOptions', 204, 'odd: 204, but the body is empty'],
];

for (const [name, id, status, said] of rows)
  test(`${name}: ${said}`, () => {
    const response = fakeResponse(status, undefined, {});
    const planned = { operation: operation(id), keys: [] };
    const { state, text } = explainResponse(planned, fakeExchange({ operation: id, response }), response);
    assert.equal(`${state}: ${text}`, said);
  });

test('what something in front of the service answers is named, with its cure', () => {
  const response = fakeText(403, 'RBAC: access denied');
  const planned = { operation: operation('listBlocked'), keys: ['BLOCK_LIST_SEGMENTS'] };
  const said = explainResponse(planned, fakeExchange({ response }), response);
  const { state, text, cure = '', keys } = said;
  assert.deepEqual(
    [state, text, keys],
    ['odd', 'an Envoy proxy (RBAC) in front of the service denies the request (403)', []],
  );
  assert.match(cure, /^ask its owners whom its rules allow/);
});

/** The expected cure of a failed connection, by the failure's code. */
const cures: [code: string, cure: RegExp | undefined][] = [
  ['TLS_ALERT_40', /^set CLIENT_CERT_FILE and CLIENT_KEY_FILE .*ciphers/],
  ['TLS_ALERT_42', /^put a client certificate .* into CLIENT_CERT_FILE/],
  ['TLS_ALERT_70', /^ask its owners to switch on TLS 1\.2/],
  ['TLS_ALERT_116', /^set CLIENT_CERT_FILE and CLIENT_KEY_FILE/],
  ['TLS_ALERT_90', /^ask the owners of the service what it expects/],
  ['ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED', /^ask its owners to update/],
  ['ERR_SSL_EE_CERTIFICATE_KEY_TOO_WEAK', /2048 bits/],
  ['ERR_SSL_CA_SIGNATURE_DIGEST_ALGORITHM_TOO_WEAK', /SHA-256/],
  ['INVALID_PURPOSE', /serverAuth/],
  ['PATH_LENGTH_EXCEEDED', undefined],
  ['ERR_SSL_DATA_LENGTH_TOO_LONG', undefined],
  ['EPROTO', undefined],
  ['ERR_SSL_WRONG_VERSION_NUMBER', /^FRIEND_URL begins with https:\/\/, but that port may speak http:\/\//],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /intermediate certificate; or, .* set CA_FILE$/],
  ['EMFILE', /^end other programs/],
  ['EACCES', /^allow this program/],
  ['HEADERS_TOO_LARGE', /^raise MAX_HEADER_BYTES$/],
];

for (const [code, cure] of cures)
  test(`${code} → ${cure?.source ?? 'no cure'}`, () => {
    const said = connectionCure({ code, phase: 'tls' }, 'FRIEND_URL', []);
    if (cure) assert.match(said ?? '', cure);
    else assert.equal(said, undefined);
  });
