import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalSignal } from './success-signal.ts';

const refusals: [body: unknown, pointer: string | undefined][] = [
  [{ success: false }, '/success'],
  [{ data: null, meta: { errorCode: 401 } }, '/meta/errorCode'],
  [{ status: 'error', message: 'x' }, '/status'],
  [{ status_code: 403 }, '/status_code'],
  [{ status: 'active', name: 'x' }, undefined],
  [{ code: 0, data: { active: false } }, undefined],
  [{ key: 'a', active: false, value: 'false' }, undefined],
  [[{ success: false }], undefined],
  ['no', undefined],
];
for (const [body, pointer] of refusals)
  test(`${JSON.stringify(body)} reads like a refusal: ${pointer ?? 'no'}`, () =>
    assert.equal(refusalSignal(body)?.pointer, pointer));
