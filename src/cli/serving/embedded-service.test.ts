import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstArea } from '../../spec/index.ts';
import { environmentText, loadText } from '../../testing/test-environment.ts';
import { whereStarted } from './embedded-service.ts';

const load = (name: string, port: number, keys = {}) =>
  loadText(name, environmentText(`http://127.0.0.1:${port}`, keys));
const started = load('local', 1);

test('the embedded environment stays where it was started, with what has changed in its file since', () => {
  const { addresses, slowAfterMs } = whereStarted(load('local', 2, { SLOW_AFTER_MS: 7 }), started);
  assert.deepEqual([addresses[firstArea].port, slowAfterMs], ['1', 7]);
  assert.equal(whereStarted(load('other', 2), started).addresses[firstArea].port, '2');
});
