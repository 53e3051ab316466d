import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addLatency, decodeLatencies, newLatencies, percentile, withLatency } from './histogram.ts';

test('latencies added to a text are those added to a histogram, packed or not', () => {
  const whole = newLatencies();
  let text: string | undefined;
  for (let run = 0; run < 300; run++) {
    // From less than a microsecond to more than an hour.
    const ms = 0.000_1 * 1.09 ** run;
    addLatency(whole, ms);
    text = withLatency(text, ms);
    assert.ok(text.length < 1_000, `${text.length} characters after ${run} runs`);
    const kept = decodeLatencies(text);
    assert.equal(kept.totalCount, run + 1);
    for (const percent of [0, 10, 50, 90, 99, 100])
      assert.equal(percentile(kept, percent), percentile(whole, percent), `p${percent} after ${run} runs`);
  }
});
