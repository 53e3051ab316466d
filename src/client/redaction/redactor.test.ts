import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Redactor } from './redactor.ts';
import { MASK, Secret } from './secret.ts';

const secret = 'canary/Token+with=odd"chars';
const redactor = new Redactor([new Secret(secret)]);

const forms: [name: string, text: string][] = [
  ['plain', secret],
  ['URL-encoded', encodeURIComponent(secret)],
  ['URL-encoded in lower case', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
  ['JSON', JSON.stringify(secret)],
  ['base64', Buffer.from(secret).toString('base64')],
  ['base64 after one byte', Buffer.from(`:${secret}`).toString('base64')],
  ['base64 after two bytes', Buffer.from(`a:${secret}`).toString('base64')],
  ['base64 in the middle', Buffer.from(`user:${secret}:more`).toString('base64')],
  ['base64url', Buffer.from(secret).toString('base64url')],
  ['hex', Buffer.from(secret).toString('hex')],
];

for (const [name, text] of forms) {
  test(`a secret is masked as ${name}`, () => {
    const clean = redactor.text(`before ${text} after`);
    assert.match(clean, /^before .*\*\*\*.* after$/);
    assert.ok(!clean.includes(text), clean);
  });
}

test('a secret is masked in a text of any length', () => {
  for (const length of [0, 1_000, 100_000]) {
    const around = 'x'.repeat(length);
    assert.equal(redactor.text(`${around}${secret}${around}`), `${around}${MASK}${around}`);
  }
});

test('a JSON value is masked in its strings, keys and numbers, and keeps its shape', () => {
  const numeric = new Redactor([new Secret('12345678')]);
  const value = JSON.parse('{"a":["x12345678y"],"12345678":{"n":9123456789},"__proto__":{"b":"12345678"}}');
  const expected = JSON.parse(`{"a":["x***y"],"***":{"n":"***"},"__proto__":{"b":"${MASK}"}}`);
  assert.deepEqual(numeric.json(value), expected);
  assert.equal(Object.getPrototypeOf(numeric.json(value)), Object.prototype);
});

test('a value of 100,000 levels is masked without a stack overflow', () => {
  const depth = 100_000;
  const deep = JSON.parse('['.repeat(depth) + JSON.stringify(secret) + ']'.repeat(depth));
  let inner = redactor.json(deep);
  while (Array.isArray(inner)) inner = inner[0];
  assert.equal(inner, MASK);
});
