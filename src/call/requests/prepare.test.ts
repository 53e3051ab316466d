import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../redaction/secret.ts';
import { type OperationId, operation, operationIds } from '../../service/index.ts';
import type { ServiceUnderTest } from '../../verdict/service-under-test.ts';
import { assertArguments, type Caller, prepare, rawBody, rawText } from './prepare.ts';

const caller: Caller = {
  clientId: 'client',
  userId: 'user',
  accessToken: new Secret('secret-token'),
  apiKey: new Secret('secret-key'),
  app: { 'app-bundle': 'b', 'app-ver': '1', 'app-platform': 'p', 'app-lang': 'en', 'app-env': 'e' },
};
const addresses = Object.fromEntries(
  operationIds.map((id) => [operation(id).area, new URL('https://api.test/prefix/')]),
);
const target = { addresses } as unknown as ServiceUnderTest;
const none = new Map<string, string | undefined>();

const expected: Partial<Record<OperationId, { args: unknown; sent: object; credentials: string[] }>> = {
  block: {
    args: { friendId: 'f' },
    sent: {
      method: 'POST',
      url: 'https://api.test/prefix/v1/friends/block',
      headers: {
        'content-type': 'application/json',
        Authorization: 'bearer ***',
        'mm-client-id': 'client',
        'mm-user-id': 'user',
      },
      body: '{"friendId":"f"}',
    },
    credentials: ['bearer secret-token'],
  },
  cloneType: {
    args: { FromClientId: 'c', TypeName: 't', TypeVersion: '1', Files: [], IsSetDefaultTypeVersion: false },
    sent: {
      method: 'POST',
      url: 'https://api.test/prefix/v1/apikey/type/clone',
      headers: { 'content-type': 'application/json', 'mm-client-id': 'client', 'mm-api-key': '***' },
      body: '{"FromClientId":"c","TypeName":"t","TypeVersion":"1","Files":[],"IsSetDefaultTypeVersion":false}',
    },
    credentials: ['secret-key'],
  },
  deleteItem: {
    args: { id: 'a/b c' },
    sent: {
      method: 'DELETE',
      url: 'https://api.test/prefix/v1/features/story/a%2Fb%20c',
      headers: {
        accept: 'application/json',
        Authorization: 'bearer ***',
        'mm-client-id': 'client',
        'mm-user-id': 'user',
      },
    },
    credentials: ['bearer secret-token'],
  },
};

for (const [id, { args, sent, credentials }] of Object.entries(expected)) {
  test(`${id} is prepared as the document writes it, its credentials apart`, () => {
    const prepared = prepare(operation(id as OperationId), args, caller, target, none);
    const { credentials: apart, ofSet, ...request } = prepared;
    assert.deepEqual(request, sent);
    assert.deepEqual({ ...request.headers, ...ofSet }, request.headers);
    assert.deepEqual([...apart.values()], credentials);
  });
}

test('a text where an object is wanted says how to write it', () => {
  const says = (id: OperationId, wanted: string) =>
    assert.throws(() => assertArguments(operation(id), 'en'), {
      message: new RegExp(`got a string; write ${RegExp.escape(wanted)}$`),
    });
  says('reportOptions', 'reportOptions({ language: … })');
  says('love', 'love({ … })');
});

test('asIs sends the same body, asIsText sends what is no JSON', () => {
  assert.equal(prepare(operation('block'), rawBody({ friendId: 7 }), caller, target, none).body, '{"friendId":7}');
  const text = prepare(operation('block'), rawText('{"friendId":', null), caller, target, none);
  assert.equal(text.body, '{"friendId":');
  assert.equal(text.headers['content-type'], undefined);
});
