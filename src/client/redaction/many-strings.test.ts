import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManyStrings } from './many-strings.ts';

function found(strings: readonly string[], text: string, few?: number): string[] {
  const all: string[] = [];
  new ManyStrings(strings, few).find(text, (start, end) => {
    all.push(`${start}-${end}`);
    return false;
  });
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
  const letters = (most: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', '.', '\u0000', 'ÿ'), minLength: 1, maxLength: most });
  fc.assert(
    fc.property(fc.uniqueArray(letters(10), { minLength: 1, maxLength: 20 }), letters(60), (strings, text) => {
      for (const few of [0, undefined]) assert.deepEqual(found(strings, text, few), foundOneByOne(strings, text));
    }),
    { numRuns: 2_000 },
  );
});

const rows: [strings: string[], text: string, expected: string[]][] = [
  [['abc'], '', []],
  [['abc'], 'ab', []],
  [['abc'], 'abc', ['0-3']],
  [['a'], 'aba', ['0-1', '2-3']],
  [['short', 'a much longer string'], 'a much longer string is not short', ['0-20', '28-33']],
];
for (const [strings, text, expected] of rows)
  test(`${JSON.stringify(strings)} in ${JSON.stringify(text)}: ${expected.join(', ') || 'nowhere'}`, () => {
    for (const few of [0, undefined]) assert.deepEqual(found(strings, text, few), expected);
  });

test('it ends with the first that is enough', () => {
  for (const few of [0, undefined]) {
    let calls = 0;
    new ManyStrings(['aa'], few).find('aaaa', () => ++calls === 2);
    assert.equal(calls, 2);
  }
});
