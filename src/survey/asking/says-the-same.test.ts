import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saysTheSame } from './says-the-same.ts';

const fallback = { language: 'qx', at: 1, list: [{ label: '(QX) rate it' }] };
const later = { ...fallback, at: 2 };

const rows: [what: string, value: unknown, language: string, isSame: boolean][] = [
  ['the same at another time', { language: 'de', at: 3, list: [{ label: '(DE) rate it' }] }, 'de', true],
  ['the language is a word of the text', { language: 'it', at: 3, list: [{ label: '(IT) rate it' }] }, 'it', true],
  ['another text', { language: 'de', at: 3, list: [{ label: '(DE) melden' }] }, 'de', false],
  ['the fallback without its name', { language: 'en', at: 3, list: [{ label: '(EN) rate it' }, {}] }, 'en', false],
  ['nothing of it', [], 'en', false],
];

for (const [what, value, language, isSame] of rows)
  test(`${what}: ${isSame ? 'the same' : 'something else'}`, () =>
    assert.equal(saysTheSame(value, [fallback, later], { from: 'qx', to: language }), isSame));

test('two refusals that differ in their time alone are one; another code is another', () => {
  const pair = [
    { code: 404, at: 1 },
    { code: 404, at: 2 },
  ] as const;
  assert.ok(saysTheSame({ code: 404, at: 3 }, pair));
  assert.ok(!saysTheSame({ code: 401, at: 3 }, pair));
  const inOneMoment = [{ at: '2026-01-01T10:00:00.000Z' }, { at: '2026-01-01T10:00:00.000Z' }] as const;
  assert.ok(saysTheSame({ at: '2026-01-01T10:00:00.001Z' }, inOneMoment));
});
