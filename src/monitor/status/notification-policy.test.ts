import assert from 'node:assert/strict';
import { test } from 'node:test';
import { address, flip } from '../../testing/monitor/outage-notices.ts';
import { IncidentBook } from './incident.ts';
import { dueNotice, notQuiet } from './notification-policy.ts';

test('a clock that is corrected by milliseconds brings no reminder; one that was set back brings one', () => {
  const book = new IncidentBook();
  book.add(flip('-block', 4_900_000, address));
  const [incident] = book.open;
  const policy = { remindAfterMs: 21_600_000, gatherMs: 60_000 };
  const notified = { down: true, up: false, size: 1, lastAt: 5_000_000 };
  const due = (now: number) => dueNotice(incident ?? assert.fail(), notified, now, notQuiet, policy);
  assert.deepEqual([4_999_990, 4_000_000, 5_000_010].map(due), [undefined, 'still', undefined]);
});
