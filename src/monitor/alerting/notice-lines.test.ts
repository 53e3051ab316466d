import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeNotice } from '../../testing/monitor/fake-notice.ts';
import { plainNotice } from './notice-lines.ts';

const headlines: [given: string, plain: string][] = [
  ['staging: friends is down', 'staging: friends is down'],
  ['“élan” → „über“ – it’s', '"elan" - ?uber" - it\'s'],
  ['😀 \u0000\u202e', '? ??'],
  ['x'.repeat(300), `${'x'.repeat(197)}...`],
];
for (const [headline, plain] of headlines)
  test(`${JSON.stringify(headline.slice(0, 30))} is sent as ${JSON.stringify(plain.slice(0, 30))}`, () =>
    assert.equal(plainNotice(fakeNotice('down', { headline })).headline, plain));

test('of scenarios it names three, without reasons and calls; what identifies the incident stays', () => {
  const [one] = fakeNotice('down').scenarios;
  assert.ok(one);
  const notice = fakeNotice('down', {
    scenarios: Array.from({ length: 9 }, () => ({ ...one, title: 'b'.repeat(999) })),
  });
  const plain = plainNotice(notice);
  assert.equal(plain.scenarios.length, 3);
  assert.deepEqual(
    [plain.incident, plain.kind, plain.since, plain.link],
    [notice.incident, 'down', notice.since, notice.link],
  );
  const text = JSON.stringify(plain);
  assert.doesNotMatch(text, /curl|mentions/);
  assert.ok(text.length < 2_000, `${text.length} bytes`);
});
