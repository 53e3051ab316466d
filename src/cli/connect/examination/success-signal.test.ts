import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalSignal, successRule } from './success-signal.ts';

const rules: [name: string, accepted: unknown[], refused: unknown, rule: string | undefined][] = [
  [
    'a code',
    [
      { code: 0, data: [] },
      { code: 0, data: {} },
    ],
    { code: 401, msg: 'no' },
    '/code=0',
  ],
  ['a code in a single response', [{ code: 0, total: 0 }], { code: 401, total: 9 }, '/code=0'],
  ['a boolean of any name', [{ done: true, data: [] }], { done: false, reason: 'x' }, '/done=true'],
  ['a text', [{ status: 'ok' }, { status: 'ok' }], { status: 'error' }, '/status="ok"'],
  ['below the top', [{ meta: { code: 200 }, data: [] }], { meta: { code: 403 } }, '/meta/code=200'],
  ['the top before what is below', [{ ok: true, meta: { ok: true } }], { ok: false, meta: { ok: false } }, '/ok=true'],
  ['a known name before another', [{ a: true, success: true }], { a: false, success: false }, '/success=true'],
  ['one of them refused for its values', [{ code: 7 }, { code: 0 }, { code: 0 }], { code: 401 }, '/code=0'],
  ['an unknown name that several share', [{ rc: 'A' }, { rc: 'A' }], { rc: 'B' }, '/rc="A"'],
  ['an unknown name in a single response', [{ total: 3 }], { total: 4 }, undefined],
  ['a name with a slash', [{ 'a/b': true }], { 'a/b': false }, '/a~1b=true'],
  ['what no two share', [{ code: 1 }, { code: 2 }], { code: 401 }, undefined],
  ['nothing that differs', [{ code: 0 }], { code: 0 }, undefined],
  ['a bare list', [[], []], { code: 401 }, undefined],
  ['no accepted response', [], { code: 401 }, undefined],
  ['no body', [undefined, null], undefined, undefined],
];
for (const [name, accepted, refused, rule] of rules)
  test(`success by ${name}: ${rule ?? 'not known'}`, () => assert.equal(successRule(accepted, refused), rule));

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
