import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { loadEnvironment } from '../../config/index.ts';
import { projectRoot } from '../../config/project-root.ts';
import { operation, operationIds } from '../../spec/index.ts';
import { openApiDocument } from './document.ts';

const local = loadEnvironment('local', { folder: join(projectRoot, 'environments'), processEnvironment: {} });
const documents = {
  'the catalogue alone': openApiDocument({ version: '1' }),
  'an environment with observed answers': openApiDocument({ version: '1', ...local }),
};

for (const [name, document] of Object.entries(documents)) {
  test(`${name} is valid OpenAPI 3.1`, async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    assert.ok(valid, JSON.stringify(errors));
  });

  test(`${name}: every row is there, with the server of its area and its header set`, () => {
    for (const { path, method, area, headerSet, request } of operationIds.map(operation)) {
      const item = document.paths[path] as Record<string, unknown>;
      const found = item[method.toLowerCase()] as Record<string, unknown>;
      assert.ok(found, `${method} ${path}`);
      assert.equal((item['servers'] as unknown[]).length, 1);
      assert.deepEqual(found['tags'], [area]);
      assert.equal('requestBody' in found, request !== undefined);
      const [security] = found['security'] as [object];
      const parameters = found['parameters'] as { in: string }[];
      assert.equal(Object.keys(security).includes('authorization'), headerSet === 'user');
      assert.equal(parameters.filter((parameter) => parameter.in === 'header').length, headerSet === 'flag' ? 5 : 0);
    }
  });
}

test('an environment gives each area its own address', () => {
  const { paths } = documents['an environment with observed answers'];
  const urls = Object.values(paths).map((item) => (item as { servers: { url: string }[] }).servers[0]?.url);
  assert.deepEqual(
    new Set(urls),
    new Set(operationIds.map((id) => local.addresses[operation(id).area].href.replace(/\/$/, ''))),
  );
});

test('observed answers stand there by status, with their schema', () => {
  const { paths } = documents['an environment with observed answers'];
  const item: Record<string, unknown> = paths['/v1/friends/block'] ?? {};
  const { responses } = item['post'] as { responses: Record<string, unknown> };
  assert.ok(responses);
  assert.deepEqual(Object.keys(responses).slice(0, 2), ['200', '400']);
  assert.match(JSON.stringify(responses['200']), /"friendId"/);
});
