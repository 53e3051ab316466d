import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderWith, heldAt, listDocument } from '../../testing/contract/contract-of-document.ts';
import { loadContract } from './contract-of.ts';

const deep = (open: string, close: string) => `${open.repeat(50_000)}${close.repeat(50_000)}`;
const laughs = ['a: &a0 [1,1,1,1,1,1,1,1,1]'];
for (let level = 1; level < 9; level++) laughs.push(`b${level}: &a${level} [${`*a${level - 1},`.repeat(9)}]`);
const nested = Array.from({ length: 300 }).reduce<object>((inner) => ({ not: inner }), {});
const one = listDocument;

const SCHEMA =
  'openapi.yaml#/paths/~1v1~1friends~1block~1{n1}~1{n2}/get/responses/200/content/application~1json/schema';
const ref = ($ref: string) => one({ $ref });
const noSchema = (at: string, why: string) => `${SCHEMA}${at}: isn't JSON Schema: it ${why}`;
const circle = { a: { $ref: '#/b' }, b: { $ref: '#/a' } };

const refused: [name: string, document: unknown, says: string | RegExp][] = [
  [
    'a network address',
    ref('https://example.org/a.json'),
    `${SCHEMA}: its $ref "https://example.org/a.json" leads to another file; bundle the document into one, e.g. with Redocly CLI.`,
  ],
  ['another file', ref('schemas/list.yaml#/List'), 'its $ref "schemas/list.yaml#/List" leads to another file'],
  ['a file of this machine', ref('/etc/passwd'), 'leads to another file'],
  ['the name of an anchor', ref('#user'), 'its $ref "#user" leads to nothing; correct it.'],
  [
    'a reference to nothing',
    ref('#/components/schemas/Gone'),
    'its $ref "#/components/schemas/Gone" leads to nothing; correct it.',
  ],
  [
    'a circle of references alone',
    { ...one({}), paths: { $ref: '#/a' }, ...circle },
    /circle|none of the \d+ operations/,
  ],
  [
    'a circle of path items',
    { openapi: '3.1.0', paths: { '/v1/a': { $ref: '#/a' } }, ...circle },
    'its $ref leads in a circle',
  ],
  [
    'a bomb of aliases',
    laughs.join('\n'),
    /openapi\.yaml: Excessive alias count .*; replace its aliases with the values that they repeat\.$/,
  ],
  [
    'too much YAML',
    ' '.repeat(5_000_001),
    'openapi.yaml: has more than 5,000,000 characters of YAML; convert it to JSON',
  ],
  ['lists of lists of lists in YAML', `a: ${deep('[', ']')}`, 'openapi.yaml: is nested too deeply'],
  ['lists of lists of lists in JSON', deep('[', ']'), 'openapi.yaml: '],
  ['a schema that is too deep', one(nested), 'is nested too deeply'],
  ['an enormous document', ' '.repeat(20_000_001), /openapi\.yaml .* has more than 20000000 bytes/],
  ['text that is not YAML', 'openapi: 3.1.0\npaths:\n  - a\n b: c\n', /openapi\.yaml line \d: .+; correct it\.$/],
  ['JSON with a mistake', '{"openapi": "3.1.0",\n"paths": {]}', /openapi\.yaml line 2: .+; correct it\.$/],
  [
    'a key that stands there twice',
    'openapi: 3.1.0\nopenapi: 3.0.0\n',
    'openapi.yaml line 2: Map keys must be unique; correct it.',
  ],
  ['Swagger', 'swagger: "2.0"\npaths: {}\n', 'is Swagger "2.0"; convert it to OpenAPI 3.0 or 3.1.'],
  ['something else', 'hello\n', "isn't an OpenAPI document; expected e.g. openapi: 3.1.0 at its top."],
  ['an empty file', '', "isn't an OpenAPI document"],
  [
    'no operation of ours',
    { openapi: '3.1.0', paths: { '/pets': { get: {} } } },
    /has none of the \d+ operations, e\.g\. [A-Z]+ \/v1\/\S+; it has GET \/pets\. Correct its paths or servers, or name another document\.$/,
  ],
  ['a schema that is none', one('text'), `${SCHEMA}: is not a schema`],
  [
    'a type that is none',
    one({ type: 'strng' }),
    noSchema('/type', 'must be equal to one of the allowed values (array, '),
  ],
  [
    'required as in Swagger',
    one({ properties: { a: { required: true } } }),
    noSchema('/properties/a/required', 'must be array; correct it.'),
  ],
  ['a pattern that is none', one({ pattern: 5 }), /must be string/],
  [
    'a status that is none',
    { openapi: '3.1.0', paths: { '/v1/friends/block/{n1}/{n2}': { get: { responses: { OK: {} } } } } },
    'responses/OK: is no status; expected e.g. 200, 4XX or default',
  ],
];

for (const [name, document, says] of refused)
  test(`${name} is refused in one line, whoever names it`, () => {
    const path = join(folderWith({ 'openapi.yaml': document }), 'openapi.yaml');
    for (const environment of ['the first', 'the second'])
      assert.throws(
        () => loadContract([path], heldAt()),
        ({ name, message }: Error) => {
          assert.equal(name, 'ConfigurationError', `${environment}: ${message}`);
          assert.ok(typeof says === 'string' ? message.includes(says) : says.test(message), message);
          return !message.includes('\n');
        },
      );
  });
