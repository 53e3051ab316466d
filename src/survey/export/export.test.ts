import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { requestSchemas } from '../../../schemas/index.ts';
import type { Environment } from '../../environment/index.ts';
import { projectRoot } from '../../environment/project-root.ts';
import { operationIds } from '../../service/index.ts';
import { postmanCollection } from '../../testing/import/exports.ts';
import { schemasIn } from '../../testing/schema-files.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { canaries, embeddedEnvironment, testEnvironment } from '../../testing/test-environment.ts';
import { exportedEnvironment, outlineOf } from './exported-requests.ts';
import { exportFormats } from './formats.ts';
import { openApiDocument } from './openapi.ts';

const service = await ownService();

const local = embeddedEnvironment(service);
const [item] = local.data.storedItemIds;
const exported = exportedEnvironment(local, item ?? 'item-1');
const secrets = { ACCESS_TOKEN: local.caller.accessToken?.reveal(), API_KEY: local.caller.apiKey?.reveal() };
const ids = [...operationIds, 'readProfile'];

const postmanProblems = schemasIn([join(projectRoot, 'src/testing/import/postman.json')]);

type Values = Readonly<Record<string, string | undefined>>;
const variables: Values = Object.fromEntries(exported.variables.map(({ name, value }) => [name, value]));

/** Replaces each variable in `text` by its value. Fails if a variable has no value. */
function filled(text: string, values: Values): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] || assert.fail(`${name} has no value`));
}

interface Read {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
}

/** A request as a tool would send it: all variables are replaced by their values. */
function plain({ method, url, headers, body }: Read, values: Values = variables) {
  const fill = (text: string) => filled(text, { ...values, ...secrets });
  return {
    method: method.toUpperCase(),
    url: fill(url),
    headers: Object.fromEntries(headers.map(([name, value]) => [name, fill(value)])),
    ...(body ? { body: fill(body) } : {}),
  };
}

type Plain = ReturnType<typeof plain>;

/** Reads the requests of an .http file as an editor does. */
function readHttp(text: string): Plain[] {
  const values = Object.fromEntries([...text.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name, value]) => [name, value]));
  const parts = text.split(/^### .*$/m).slice(1);
  return parts.map((part) => {
    const [head = '', ...rest] = part.trim().split('\n\n');
    const [line = '', ...lines] = head.split('\n').filter((each) => !each.startsWith('#'));
    const [method = '', url = ''] = line.split(' ');
    const headers = lines.map((each) => each.split(/: (.*)/s).slice(0, 2) as [string, string]);
    return plain({ method, url, headers, body: rest.join('\n\n').trim() }, values);
  });
}

test('the exported .http requests succeed against the service, one for each operation', async () => {
  const text = exportFormats.http.printed(exported);
  const names = [...text.matchAll(/^# @name (\w+)$/gm)].map(([, name]) => name);
  assert.deepEqual(names, ids);
  const requests = readHttp(text);
  assert.equal(requests.length, ids.length);
  for (const { url, ...rest } of requests) {
    const response = await fetch(url, rest);
    assert.ok(response.ok, `${response.status} ${await response.text()}`);
  }
});

/** Reads the exported requests of each format in the way in which its tool does. */
const readers: Readonly<Record<string, () => Plain[]>> = {
  http: () => readHttp(exportFormats.http.printed(exported)),
  postman: () => {
    const { item, variable } = JSON.parse(exportFormats.postman.printed(exported)) as PostmanCollection;
    const values = Object.fromEntries(variable.map(({ key, value }) => [key, value]));
    assert.deepEqual(values, variables);
    return item.flatMap((folder) =>
      folder.item.map(({ request: { method, url, header, body } }) => {
        // Postman shows the whole URL (`raw`), but sends the request to the address in the parts (`host` and `path`), so both must be
        // equal.
        const parts = `${url.host.join('.')}/${url.path.join('/')}`;
        assert.equal(parts, url.raw);
        const all = header.map(({ key, value }): [string, string] => [key, value]);
        return plain({ method, url: parts, headers: all, body: body?.raw }, values);
      }),
    );
  },
};

/** The parts of a Postman collection that the test reads. Another test checks the collection against Postman's schema. */
interface PostmanCollection {
  readonly variable: readonly KeyValue[];
  readonly item: readonly { readonly item: readonly { readonly request: PostmanRequest }[] }[];
}
interface PostmanRequest {
  readonly method: string;
  readonly url: { readonly raw: string; readonly host: readonly string[]; readonly path: readonly string[] };
  readonly header: readonly KeyValue[];
  readonly body?: { readonly raw: string };
}
interface KeyValue {
  readonly key: string;
  readonly value: string;
}

const [[, collection = ''] = [], [, environment = ''] = []] = Object.entries(exportFormats.postman.files(exported));
const postmanFiles: readonly [name: string, definition: string, value: unknown][] = [
  ['the exported collection', 'Collection', JSON.parse(collection)],
  ['the exported environment', 'Environment', JSON.parse(environment)],
  ['the collection that tests import', 'Collection', postmanCollection()],
];

for (const [name, definition, value] of postmanFiles)
  test(`the schema of Postman's format holds for ${name}`, () =>
    assert.deepEqual(postmanProblems(`postman.json#/$defs/${definition}`, value), []));

test('a field that Postman does not know is named with its place', () => {
  const collectionWith = (more: object) => ({ ...JSON.parse(collection), ...more });
  const problems = postmanProblems('postman.json#/$defs/Collection', collectionWith({ variables: [] }));
  assert.deepEqual(problems, [': unknown field "variables"']);
});

const sorted = (requests: readonly Plain[]) =>
  requests.map((each) => JSON.stringify(Object.entries(each).sort())).sort();

for (const [format, read] of Object.entries(readers))
  test(`the requests that are read of the export for ${format} are those of the environment`, () => {
    // A Postman collection groups the requests by area, so the order differs.
    const inOrder = format === 'postman' ? sorted : (requests: readonly Plain[]) => requests;
    assert.deepEqual(inOrder(read()), inOrder(exported.requests.map((each) => plain(each))));
  });

test('the environment of Postman has the data with values, and the secrets without', () => {
  const { 'local.postman_environment.json': text = '' } = exportFormats.postman.files(exported);
  const { values } = JSON.parse(text) as { values: { key: string; value: string; type: string; enabled: boolean }[] };
  const userId = values.find(({ key, enabled }) => enabled && key === 'USER_ID')?.value;
  assert.equal(userId, local.caller.userId);
  const secret = values.filter(({ type }) => type === 'secret').map(({ key, value }) => [key, value]);
  assert.deepEqual(Object.fromEntries(secret), { ACCESS_TOKEN: '', API_KEY: '' });
});

test('the examples of the OpenAPI document are the same requests', () => {
  const { paths } = openApiDocument({ version: '1', environment: local });
  const requests = Object.entries(paths).flatMap(([path, { servers, ...methods }]) =>
    Object.entries(methods as Readonly<Record<string, Described>>).map(([method, { parameters, requestBody }]) => {
      const named = (place: string) => parameters.filter((parameter) => parameter.in === place);
      const { example: body } = requestBody?.content['application/json'] ?? {};
      const url = named('path').reduce(
        (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(example)),
        `${servers[0]?.url}${path}`,
      );
      const headers = named('header').map(({ name, example }): [string, string] => [name, example]);
      return plain({ method, url, headers, body: body && JSON.stringify(body) });
    }),
  );
  const expected = exported.requests.map(({ headers, body, ...rest }) => {
    // OpenAPI ignores parameters with the names Accept and Content-Type, so the document leaves these headers out.
    const others = headers.filter(([name]) => name !== 'accept' && name !== 'Content-Type');
    return plain({ ...rest, headers: others, body: body && JSON.stringify(JSON.parse(body)) });
  });
  assert.deepEqual([...new Set(sorted(expected))], sorted(requests));
});

interface Described {
  readonly parameters: readonly { readonly in: string; readonly name: string; readonly example: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: object }>> };
}

const odd: Partial<Environment['data']> = {
  storyId: 'a "story" \\ of ours',
  reportLanguage: 'en/us',
  flagKey: 'a.b-c',
};

test('a value that JSON or a path would change stands there in the form that it needs', () => {
  const text = exportFormats.http.printed(exportedEnvironment({ ...local, data: { ...local.data, ...odd } }, item));
  const requests = readHttp(text.replaceAll(/^@STORED_ITEM_ID = $/gm, '@STORED_ITEM_ID = x'));
  assert.deepEqual(JSON.parse(requests[ids.indexOf('love')]?.body ?? ''), { storyId: odd.storyId });
  assert.ok(requests[ids.indexOf('reportOptions')]?.url.endsWith('/v1/reports/opt/en%2Fus'));
  assert.ok(text.includes('"key": "{{FLAG_KEY}}"'));
});

test('data that the environment lacks is named, and left to the user', () => {
  const { data, ...rest } = local;
  const text = exportFormats.http.printed(
    exportedEnvironment(
      { ...rest, data: { storedItemIds: [], itemsInFile: 0, otherUserIds: [], reportLanguages: [] } },
      undefined,
    ),
  );
  assert.match(
    text,
    /^# To be filled in, because local has none: STORY_ID, REPORT_LANGUAGE, FROM_CLIENT_ID, TYPE_NAME, TYPE_VERSION, STORED_ITEM_ID\.$/m,
  );
  assert.match(text, /^@STORY_ID = $/m);
});

test('an outline has the required fields of a record, each of its type', () => {
  assert.deepEqual(outlineOf(requestSchemas.designTypeClone), {
    FromClientId: 'sextant-export',
    TypeName: 'sextant-export',
    TypeVersion: 'sextant-export',
    Files: [],
    IsSetDefaultTypeVersion: false,
  });
});

test('no format holds a secret', () => {
  const canary = exportedEnvironment(testEnvironment('http://127.0.0.1:1'), 'item-1');
  for (const format of Object.values(exportFormats))
    for (const [path, text] of Object.entries(format.files(canary)))
      for (const secret of Object.values(canaries)) assert.ok(!text.includes(secret), path);
});
