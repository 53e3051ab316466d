import assert from 'node:assert/strict';
import { test } from 'node:test';
import bruno from '@usebruno/lang';
import postman from 'postman-collection';
import { requestSchemas } from '../../../schemas/index.ts';
import type { Environment } from '../../config/index.ts';
import { operationIds } from '../../spec/index.ts';
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

interface Plain {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** `text` with each variable in it; an unknown one is an error. */
function filled(text: string, values: Readonly<Record<string, string | undefined>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] || assert.fail(`${name} has no value`));
}

/** The requests of an .http file, as an editor reads them. */
function readHttp(text: string): Plain[] {
  const values = Object.fromEntries([...text.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name, value]) => [name, value]));
  return text
    .split(/^### .*$/m)
    .slice(1)
    .map((part) => {
      const [head = '', ...rest] = part.trim().split('\n\n');
      const [line = '', ...headers] = head.split('\n').filter((each) => !each.startsWith('#'));
      const [method = '', url = ''] = line.split(' ');
      const all = { ...values, ...secrets };
      const body = rest.join('\n\n').trim();
      return {
        method,
        url: filled(url, all),
        headers: Object.fromEntries(
          headers.map((each) =>
            filled(each, all)
              .split(/: (.*)/s)
              .slice(0, 2),
          ),
        ),
        ...(body ? { body: filled(body, all) } : {}),
      };
    });
}

async function replayed(requests: readonly Plain[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const { url, ...rest } of requests) {
    const response = await fetch(url, rest);
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  return statuses;
}

test('the exported .http requests succeed against the service, one for each operation', async () => {
  const text = exportFormats.http.printed(exported);
  assert.deepEqual(
    [...text.matchAll(/^# @name (\w+)$/gm)].map(([, name]) => name),
    ids,
  );
  const statuses = await replayed(readHttp(text));
  assert.equal(statuses.length, ids.length);
  assert.deepEqual(
    statuses.filter((status) => status < 200 || status > 299),
    [],
  );
});

test('Postman reads the collection, and its requests are the same', () => {
  const collection = new postman.Collection(JSON.parse(exportFormats.postman.printed(exported)));
  const variables = Object.fromEntries(exported.variables.map(({ name, value }) => [name, value]));
  const requests: Plain[] = [];
  collection.forEachItem(({ request }) => {
    const { raw } = request.body ?? {};
    requests.push({
      method: request.method,
      url: filled(request.url.toString(), { ...variables, ...secrets }),
      headers: Object.fromEntries(
        request.headers.map(({ key, value }) => [key, filled(value, { ...variables, ...secrets })]),
      ),
      ...(raw ? { body: filled(raw, { ...variables, ...secrets }) } : {}),
    });
  });
  const key = ({ method, url, body }: Plain) => `${method} ${url} ${body ?? ''}`;
  const byKey = (a: Plain, b: Plain) => key(a).localeCompare(key(b));
  assert.deepEqual(requests.sort(byKey), readHttp(exportFormats.http.printed(exported)).sort(byKey));
  const names = collection.variables.map(({ key: name }) => name);
  assert.deepEqual(
    names,
    exported.variables.map(({ name }) => name),
  );
});

test('the Postman environment has the data with values, and the secrets without', () => {
  const { 'local.postman_environment.json': text = '' } = exportFormats.postman.files(exported);
  const scope = new postman.VariableScope(JSON.parse(text));
  assert.equal(scope.get('USER_ID'), local.caller.userId);
  const { values } = JSON.parse(text) as { values: { key: string; value: string; type: string }[] };
  assert.deepEqual(
    values.filter(({ type }) => type === 'secret').map(({ key, value }) => [key, value]),
    [
      ['ACCESS_TOKEN', ''],
      ['API_KEY', ''],
    ],
  );
});

test('Bruno reads every file, and the requests are the same', () => {
  const files = exportFormats.bruno.files(exported);
  const environment = bruno.bruToEnvJsonV2(files['environments/local.bru'] ?? '') as {
    variables: { name: string; value: string; secret: boolean }[];
  };
  assert.deepEqual(
    environment.variables.filter(({ secret }) => secret).map(({ name }) => name),
    ['ACCESS_TOKEN', 'API_KEY'],
  );
  const values = { ...Object.fromEntries(environment.variables.map(({ name, value }) => [name, value])), ...secrets };
  const requests = Object.entries(files)
    .filter(([path]) => path.endsWith('.bru') && !path.startsWith('environments/'))
    .map(([, text]) => bruno.bruToJsonV2(text) as BruRequest)
    .sort((a, b) => Number(a.meta.seq) - Number(b.meta.seq))
    .map(
      ({ http, headers, body }): Plain => ({
        method: http.method.toUpperCase(),
        url: filled(http.url, values),
        headers: Object.fromEntries(headers.map(({ name, value }) => [name, filled(value, values)])),
        ...(body?.json ? { body: filled(body.json, values) } : {}),
      }),
    );
  assert.deepEqual(requests, readHttp(exportFormats.http.printed(exported)));
  assert.equal(JSON.parse(files['bruno.json'] ?? '').type, 'collection');
});

test('the examples of the OpenAPI document are the same requests', () => {
  const { paths } = openApiDocument({ version: '1', environment: local });
  const requests = Object.entries(paths).flatMap(([path, { servers, ...methods }]) =>
    Object.entries(methods as Readonly<Record<string, Described>>).map(
      ([method, { parameters, requestBody }]): Plain => {
        const named = (place: string) => parameters.filter((parameter) => parameter.in === place);
        const { example: body } = requestBody?.content['application/json'] ?? {};
        return {
          method: method.toUpperCase(),
          url: named('path').reduce(
            (url, { name, example }) => url.replace(`{${name}}`, encodeURIComponent(example)),
            `${servers[0]?.url}${path}`,
          ),
          headers: Object.fromEntries(named('header').map(({ name, example }) => [name, filled(example, secrets)])),
          ...(body ? { body: JSON.stringify(body) } : {}),
        };
      },
    ),
  );
  // Headers that OpenAPI has no parameter for.
  const expected = readHttp(exportFormats.http.printed(exported)).map(({ headers, body, ...rest }): Plain => {
    const { accept: _, 'Content-Type': __, ...others } = headers;
    return { ...rest, headers: others, ...(body ? { body: JSON.stringify(JSON.parse(body)) } : {}) };
  });
  const text = (request: Plain) => JSON.stringify(Object.entries(request).sort());
  assert.deepEqual([...new Set(expected.map(text))].sort(), requests.map(text).sort());
});

interface Described {
  readonly parameters: readonly { readonly in: string; readonly name: string; readonly example: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: object }>> };
}

interface BruRequest {
  readonly meta: { readonly seq: string };
  readonly http: { readonly method: string; readonly url: string };
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body?: { readonly json?: string };
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
    exportedEnvironment({ ...rest, data: { storedItemIds: [], otherUserIds: [], reportLanguages: [] } }, undefined),
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
