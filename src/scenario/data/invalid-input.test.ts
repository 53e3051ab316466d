import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf, withField } from './invalid-input.ts';

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

test('one field is changed or taken away, the record itself stays as it was', () => {
  const record = { a: 1, list: [{ b: 2, c: 3 }] };
  assert.deepEqual(withField(record, ['list', 0, 'b'], null), { a: 1, list: [{ b: null, c: 3 }] });
  assert.deepEqual(withField(record, ['a'], undefined), { list: [{ b: 2, c: 3 }] });
  assert.deepEqual(record, { a: 1, list: [{ b: 2, c: 3 }] });
});
