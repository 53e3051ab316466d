import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rawBody, rawText } from '../../client/index.ts';
import { operation } from '../../spec/index.ts';
import type { CallByName } from './call-by-name.ts';
import { deferUndo } from './send-invalid-input.ts';

const broken = rawText('{"friendId":"ben"');
const rows: [name: string, id: 'block' | 'listBlocked', args: unknown, sent: unknown[]][] = [
  ['what was documented', 'block', { friendId: 'ben' }, ['unblock', { friendId: 'ben' }]],
  ['a field too many', 'block', rawBody({ friendId: 'ben', extra: 'x' }), ['unblock', { friendId: 'ben' }]],
  ['an unreadable body', 'block', broken, ['unblock', broken]],
  ['what changes nothing', 'listBlocked', { n1: '0', n2: '1' }, []],
];

for (const [name, id, args, sent] of rows)
  test(`taking back ${name}`, async () => {
    const calls: unknown[] = [];
    const call = ((...given: unknown[]) => {
      calls.push(...given);
      return { settles: async () => undefined };
    }) as unknown as CallByName;
    const deferred: (() => unknown)[] = [];
    deferUndo(call, (work) => void deferred.push(work))(operation(id), args);
    for (const work of deferred) await work();
    assert.deepEqual(calls, sent);
  });
