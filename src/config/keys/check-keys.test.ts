import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkKeys, unknownKeys } from './check-keys.ts';
import { text } from './header-values.ts';
import { integer } from './values.ts';

const keys = {
  PORT: { check: integer(1, 9), meaning: 'a port', fallback: '4' },
  NAME: { check: text, meaning: 'a name', required: true },
  NOTE: { check: text, meaning: 'a note' },
};

type Given = Readonly<Record<string, string>>;
const rows: [name: string, given: Given, wording: object, values: object, problems: string[]][] = [
  ['what is absent has its fallback', { NAME: ' ada ' }, {}, { PORT: 4, NAME: 'ada' }, []],
  ['an empty value is absent', { NAME: 'ada', PORT: '  ', NOTE: '' }, {}, { PORT: 4, NAME: 'ada' }, []],
  ['what is required is missed', {}, {}, { PORT: 4 }, ['NAME is missing; expected: a name']],
  [
    'all problems at once',
    { PORT: '0' },
    { purpose: ' for channel email' },
    {},
    ['PORT "0" is not a whole number from 1 to 9', 'NAME is missing for channel email; expected: a name'],
  ],
  [
    'values that may be secret',
    { NAME: 'ada', PORT: '4', NOTE: '\u0007' },
    { areSecret: true },
    { PORT: 4, NAME: 'ada' },
    ['NOTE contains a control character; expected: a note'],
  ],
];

for (const [name, given, wording, values, problems] of rows)
  test(name, () => {
    const checked = checkKeys(keys, given, wording);
    assert.deepEqual(checked.values, values);
    assert.deepEqual(
      checked.problems.map(({ key, text }) => `${key} ${text}`),
      problems,
    );
  });

test('a key that nothing reads is named with what may have been meant', () => {
  assert.deepEqual(unknownKeys({ NAEM: 'x', NAME: 'y', constructor: 'z' }, ['NAME']), [
    { key: 'NAEM', text: 'is not a recognised key (did you mean NAME?)' },
    { key: 'constructor', text: 'is not a recognised key' },
  ]);
});
