import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestSchemaName } from '../../../schemas/index.ts';
import { rawBody, rawText } from '../../call/index.ts';
import { operation } from '../../service/index.ts';
import { deferUndo, fieldsOf, nested, withField } from './invalid-input.ts';
import type { CallByName } from './world-basis.ts';

test('the fields of a record are those of its schema, inside its lists too', () => {
  const paths = fieldsOf('avatar').map(({ path, type }) => `${path.join('.')}:${type}`);
  assert.deepEqual(paths, [
    'includes:string',
    'name:string',
    'meta:string',
    'items:array',
    'items.0.itemId:string',
    'items.0.type:integer',
    'items.0.designId:string',
  ]);
});

test('prose is distinguished from ids: it has neither pattern nor least length', () => {
  const prose = (schema: RequestSchemaName) =>
    fieldsOf(schema)
      .filter(({ isFreeText }) => isFreeText)
      .map(({ path }) => path.join('.'));
  assert.deepEqual(prose('friendReference'), []);
  assert.ok(prose('profile').includes('status'));
});

test('one field is changed or taken away, the record itself stays as it was', () => {
  const record = { a: 1, list: [{ b: 2, c: 3 }] };
  assert.deepEqual(withField(record, ['list', 0, 'b'], null), { a: 1, list: [{ b: null, c: 3 }] });
  assert.deepEqual(withField(record, ['a'], undefined), { list: [{ b: 2, c: 3 }] });
  assert.deepEqual(record, { a: 1, list: [{ b: 2, c: 3 }] });
});

test('a nested text is JSON', () => assert.deepEqual(JSON.parse(nested(3)), [[[]]]));

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
