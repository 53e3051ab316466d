import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManyStrings } from './many-strings.ts';

function found(strings: readonly string[], text: string): string[] {
  const all: string[] = [];
  const known = new ManyStrings();
  // Each is added after a search, as the secrets of a run are.
  for (const string of strings) {
    all.length = 0;
    known.add([string, string]);
    known.find(text, 1, (start, end) => void all.push(`${start}-${end}`));
  }
  return all.sort();
}

function foundOneByOne(strings: readonly string[], text: string): string[] {
  return [...new Set(strings)]
    .flatMap((string) =>
      Array.from({ length: text.length }, (_, start) => start)
        .filter((start) => text.startsWith(string, start))
        .map((start) => `${start}-${start + string.length}`),
    )
    .sort();
}

test('it finds what looking for each string by itself finds', () => {
  const letters = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', '.', '\u0000', 'ÿ'), minLength, maxLength });
  fc.assert(
    fc.property(fc.uniqueArray(letters(1, 10), { minLength: 1, maxLength: 20 }), letters(0, 60), (strings, text) => {
      assert.deepEqual(found(strings, text), foundOneByOne(strings, text));
    }),
    { numRuns: 2_000 },
  );
});
