import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operation } from '../../../spec/index.ts';
import { fakeExchange, fakeResponse } from '../../../testing/contract/fake-response.ts';
import { explainResponse } from './explain.ts';

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
