import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import type { RequestSchemaName } from '../../../schemas/index.ts';
import { loadEnvironment } from '../../environment/index.ts';
import { projectRoot } from '../../environment/project-root.ts';
import { type Fact, Facts } from '../../facts/index.ts';
import { headerSets, operation, operationIds } from '../../service/index.ts';
import { canaries, testEnvironment } from '../../testing/test-environment.ts';
import { learnedRecord } from './learned-record.ts';
import { openApiDocument } from './openapi.ts';

const fact = (operation: string, question: string, answer: string): Fact => {
  return { question, operation, answer, evidence: 'a valid request', askedAt: '2026-01-01' };
};
const facts = new Facts([
  fact('evaluate', 'missing-header:app-bundle', 'accepted'),
  fact('unblock', 'unknown-field', 'accepted'),
  fact('reportOptions', 'unknown-language', 'refused with 404'),
  fact('reportOptions', 'languages', 'de, en of 16 tried'),
  fact('reportOptions', 'report-codes', 'en: A, B; de: A, C'),
  fact('report', 'unknown-code', 'refused with 400'),
  fact('updateProfile', 'allowed-values:gender', '0, 2; not 1'),
]);

const local = loadEnvironment('local', { folder: join(projectRoot, 'environments'), processEnvironment: {} });
const documents = {
  'the catalogue alone': openApiDocument({ version: '1' }),
  'an environment with observed answers': openApiDocument({ version: '1', environment: local }),
  'a surveyed environment': openApiDocument({ version: '1', environment: { ...local, facts } }),
};

interface Found {
  readonly parameters: {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: { readonly enum?: unknown };
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Record<string, { readonly content?: Content }>;
  readonly security: readonly object[];
  readonly tags: readonly string[];
}
type Content = Record<string, { readonly schema?: object; readonly example?: unknown }>;

const found = (document: (typeof documents)['a surveyed environment'], id: string): Found => {
  const { path, method } = operation(id as 'block');
  return (document.paths[path] as unknown as Record<string, Found>)[method.toLowerCase()] as Found;
};
const surveyed = (id: string) => found(documents['a surveyed environment'], id);

for (const [name, document] of Object.entries(documents)) {
  test(`${name} is valid OpenAPI 3.1, and its examples fit their schemas`, async () => {
    const plain = JSON.parse(JSON.stringify(document));
    const { valid, errors } = await new Validator().validate(plain);
    assert.ok(valid, JSON.stringify(errors));
    const ajv = new Ajv({ strict: false });
    formats.default(ajv);
    ajv.addSchema(plain, 'document');
    for (const id of operationIds) {
      const { requestBody, responses } = found(plain, id);
      for (const content of [requestBody, ...Object.values(responses)])
        for (const { schema = {}, example } of Object.values(content?.content ?? {})) {
          const { $ref } = schema as { readonly $ref?: string };
          const fits = ajv.compile($ref ? { $ref: `document${$ref}` } : schema);
          if (example !== undefined) assert.ok(fits(example), `${id} ${ajv.errorsText(fits.errors)}`);
        }
    }
  });

  test(`${name}: every row is there, with the server of its area, each of its headers, and its credential`, () => {
    for (const { id, path, area, headerSet, request } of operationIds.map(operation)) {
      const { parameters, requestBody, security, tags } = found(document, id);
      assert.equal(document.paths[path]?.servers.length, 1);
      assert.deepEqual(tags, [area]);
      assert.equal(requestBody !== undefined, request !== undefined);
      assert.deepEqual(security, [headerSet === 'user' ? { authorization: [] } : { 'mm-api-key': [] }]);
      const names = parameters.filter((parameter) => parameter.in === 'header').map((each) => each.name.toLowerCase());
      assert.deepEqual(names, [...headerSets[headerSet]]);
      assert.equal('example' in (parameters[0] ?? {}), name !== 'the catalogue alone');
    }
  });
}

test('no secret is in it, but where each belongs', () => {
  const text = JSON.stringify(openApiDocument({ version: '1', environment: testEnvironment('http://127.0.0.1:1') }));
  for (const secret of Object.values(canaries)) assert.ok(!text.includes(secret));
  assert.match(text, /"example":"bearer \{\{ACCESS_TOKEN\}\}"/);
  assert.match(text, /"example":"\{\{API_KEY\}\}"/);
});

test('observed answers stand there by status, with their schema', () => {
  const { responses } = surveyed('block');
  assert.deepEqual(Object.keys(responses), ['200', '400', '401', '403', '415']);
  const { schema } = responses['200']?.content?.['application/json'] ?? {};
  assert.match(JSON.stringify(schema), /"friendId"/);
});

test('another response is possible on demand, or where none was observed', () => {
  const asked = openApiDocument({ version: '1', environment: local, allowsOthers: true });
  assert.ok('default' in found(asked, 'block').responses);
  assert.deepEqual(Object.keys(found(documents['the catalogue alone'], 'block').responses), ['default']);
});

const enumOf = (parameter: Found['parameters'][number] | undefined) => parameter?.schema.enum;
test('what a survey learned of headers, languages and fields makes the document more exact', () => {
  const optional = surveyed('evaluate').parameters.flatMap(({ required, name }) => (required ? [] : [name]));
  assert.deepEqual(optional, ['app-bundle']);
  assert.deepEqual(enumOf(surveyed('reportOptions').parameters[0]), ['de', 'en']);
  const ref = (id: string) => JSON.stringify(surveyed(id).requestBody?.content['application/json']?.schema);
  assert.match(ref('block'), /schemas\/friendReference"/);
  assert.match(ref('unblock'), /schemas\/friendReference-unblock"/);
});

const learned: [request: RequestSchemaName, question: string, answer: string, path: string, expected: unknown][] = [
  ['profile', 'required-field:name', 'required, else 400', '/required', ['includes', 'name']],
  ['profile', 'required-field:includes', 'optional', '/required', []],
  ['profile', 'allowed-values:gender', '0, 1; not -1, 9', '/properties/gender/enum', [0, 1]],
  ['profile', 'allowed-values:gender', 'all that were tried: 0, 1', '/properties/gender/enum', undefined],
  ['profile', 'allowed-values:status', '"on"; not ""', '/properties/status/enum', ['on']],
  ['profile', 'allowed-values:status', 'none that was tried; not ""', '/properties/status/enum', undefined],
  ['avatar', 'allowed-values:items.type', '1; not 2', '/properties/items/items/properties/type/enum', [1]],
  ['avatar', 'unknown-field', 'accepted', '/additionalProperties', true],
  ['avatar', 'unknown-field', 'refused with 400', '/additionalProperties', false],
  ['storyReport', 'unknown-code', 'refused with 400', '/properties/reports/items/enum', ['A', 'B', 'C']],
  ['storyReport', 'unknown-code', 'accepted', '/properties/reports/items/enum', undefined],
];
for (const [request, question, answer, path, expected] of learned)
  test(`${request}: ${question} is ${answer}`, () => {
    const record = learnedRecord('any', request, facts.with([fact('any', question, answer)]));
    const value = path
      .slice(1)
      .split('/')
      .reduce<unknown>((inside, name) => (inside as Record<string, unknown>)[name], record);
    assert.deepEqual(value, expected);
  });
