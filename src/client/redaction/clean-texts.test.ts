import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { secretForms } from '../../testing/echo/secret-forms.ts';
import { headHoldsSecret } from '../http/wire-head.ts';
import { Redactor } from './redactor.ts';
import { Secret } from './secret.ts';

const [token, key] = [new Secret('tok_ada/91d0+b6c3%e8a5'), new Secret('12345678901234567890')];
const all = [token, key, new Secret('key_harbour_4f1c9a7e2b')];

/** A header's text: ordinary, or with a secret in one of its forms. */
const texts = fc.oneof(
  fc.constantFrom(
    'content-type',
    'application/json',
    'timeout=72',
    'Sat, 21 Nov 2026 22:00:00 GMT',
    '[12345678901234567890]',
  ),
  fc.string({ maxLength: 300 }),
  fc
    .tuple(fc.constantFrom(...all), fc.string({ maxLength: 250, size: 'max' }), fc.constantFrom(...secretForms))
    .map(([secret, around, { encode }]) => around + encode(secret.reveal()) + around),
);

test('what is remembered as clean is what a search finds clean, in whatever order texts and redactors come', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(texts, fc.subarray(all)), { maxLength: 60 }), (asked) => {
      for (const [text, secrets] of asked) {
        const isClean = new Redactor(secrets).text(text) === text;
        assert.equal(new Redactor(secrets).isClean(text), isClean);
        assert.equal(headHoldsSecret(['server', text], new Redactor(secrets)), !isClean);
      }
    }),
  );
});

test('a secret that is added later is found in a text that was clean until then', () => {
  const redactor = new Redactor([token]);
  const text = `bearer ${key.reveal()}`;
  assert.ok(redactor.isClean(text));
  redactor.add(key);
  assert.ok(!redactor.isClean(text));
});

test('secrets that are added between searches are found as if all had been there at once', () => {
  fc.assert(
    fc.property(texts, fc.shuffledSubarray(all), (text, secrets) => {
      const redactor = new Redactor();
      for (const secret of secrets) {
        redactor.text(text);
        redactor.add(secret);
      }
      assert.equal(redactor.text(text), new Redactor(secrets).text(text));
    }),
  );
});

test('a secret with blanks that is added between searches is found with "+" for each', () => {
  const redactor = new Redactor([key]);
  assert.equal(redactor.text('pin+47+11'), 'pin+47+11');
  redactor.add(new Secret('pin 47 11'));
  assert.equal(redactor.text('pin+47+11'), '***');
});

test('more texts than are remembered are searched again', () => {
  const redactor = new Redactor([token]);
  for (let index = 0; index < 3_000; index++) assert.ok(redactor.isClean(`request-${index}`));
  assert.ok(!redactor.isClean(token.reveal()));
});
