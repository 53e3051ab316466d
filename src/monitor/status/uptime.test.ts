import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clip, intersection, lengthWithin, type Span, union, uptimeWithin, without } from './uptime.ts';

const spans = (...pairs: [number, number][]): Span[] => pairs.map(([from, to]) => ({ from, to }));
const window = { from: 0, to: 100 };
const lengthOf = (all: readonly Span[]) => all.reduce((sum, { from, to }) => sum + to - from, 0);

const anySpans = fc.array(
  fc.tuple(fc.nat(50), fc.nat(50)).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) })),
);

const rows: [string, Span[], Span[], Span[], number, string][] = [
  ['never down', [], [], [], 0, '1.00 0.00'],
  ['down a tenth', spans([20, 30]), [], [], 0, '0.90 0.00'],
  ['down before and into the window', spans([-50, 10]), [], [], 0, '0.90 0.00'],
  ['still down', spans([90, Number.POSITIVE_INFINITY]), [], [], 0, '0.90 0.00'],
  ['down within maintenance', spans([20, 30]), spans([15, 35]), [], 0, '1.00 0.00'],
  ['half of it within maintenance', spans([20, 30]), spans([25, 45]), [], 0, '0.94 0.00'],
  ['down in a gap', spans([20, 30]), [], spans([20, 30]), 0, '1.00 0.10'],
  ['half the window without data', spans([60, 70]), [], spans([0, 50]), 0, '0.80 0.50'],
  ['run for the first time in the middle', spans([60, 70]), [], [], 50, '0.80 0.50'],
  ['no data at all', [], [], spans([0, 100]), 0, '- 1.00'],
  ['nothing but maintenance', [], spans([0, 100]), [], 0, '- 1.00'],
];

test('uptime excludes maintenance and time without data', () => {
  for (const [name, down, maintenance, gaps, firstRunAt, expected] of rows) {
    const { ratio, withoutData } = uptimeWithin({ window, firstRunAt, down, maintenance, gaps })(window);
    assert.equal(`${ratio?.toFixed(2) ?? '-'} ${withoutData.toFixed(2)}`, expected, name);
  }
});

test('spans add up and subtract', () => {
  assert.deepEqual(union(spans([5, 9], [1, 3], [3, 4], [8, 12], [7, 7])), spans([1, 4], [5, 12]));
  assert.deepEqual(without(spans([0, 10]), spans([2, 3], [3, 4], [9, 20])), spans([0, 2], [4, 9]));
  assert.equal(lengthOf(without(spans([0, 10]), spans([-5, 15]))), 0);
});

test('what is removed and what is left make the whole, for any spans', () => {
  fc.assert(
    fc.property(anySpans, anySpans, (some, others) => {
      const left = without(some, others);
      const common = union(intersection(some, others));
      assert.equal(lengthOf(left) + lengthOf(common), lengthOf(union(some)));
      assert.equal(lengthOf(union([...left, ...common])), lengthOf(union(some)));
    }),
  );
});

test('a window within the whole shows what it would show alone', () => {
  const anyWindow = fc.tuple(fc.nat(50), fc.nat(50)).map(([from, length]) => ({ from, to: from + length }));
  fc.assert(
    fc.property(anySpans, anySpans, anySpans, anyWindow, fc.nat(60), (down, maintenance, gaps, part, firstRunAt) => {
      const input = { firstRunAt, down, maintenance, gaps };
      const whole = uptimeWithin({ ...input, window: { from: 0, to: 100 } });
      assert.deepEqual(whole(part), uptimeWithin({ ...input, window: part })(part));
      assert.equal(lengthWithin(union(down), part), lengthOf(clip(down, part)));
    }),
  );
});
