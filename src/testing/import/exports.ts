import lang from '@usebruno/lang';
import postman from 'postman-collection';
import { stringify } from 'yaml';
import {
  type AreaId,
  areaIds,
  areas,
  exportedBodies,
  headerSets,
  headers,
  operation,
  operationIds,
} from '../../spec/index.ts';
import { writeFiles } from '../own-folder.ts';
import { canaries } from '../test-environment.ts';

/** What the exported team calls its things; every export below is of the same environment. */
export const exported: Readonly<Record<string, string>> = {
  ...Object.fromEntries(areaIds.map((area) => [areas[area].addressKey, `https://api.qa.test/${area}`])),
  CLIENT_ID: 'client-qa',
  USER_ID: 'user-qa',
  APP_BUNDLE: 'org.qa',
  APP_VER: '7',
  APP_PLATFORM: 'ios',
  APP_LANG: 'de',
  APP_ENV: 'qa',
};

const silent: readonly string[] = areaIds
  .filter((area) => !operationIds.some((id) => operation(id).area === area))
  .map((area) => areas[area].addressKey);
/** What requests show of it: an area without an operation is in none. */
export const exportedWithRequests: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(exported).filter(([key]) => !silent.includes(key)),
);

/** The secrets of every export. */
export const secrets = { ACCESS_TOKEN: canaries.ACCESS_TOKEN, API_KEY: canaries.API_KEY };

/** What requests show beside addresses and headers. */
export const fromRequests: Readonly<Record<string, string>> = {
  BLOCK_LIST_SEGMENTS: '0/50',
  REPORT_LANGUAGE: 'de',
  FRIEND_USER_ID: 'user-friend',
  STORY_ID: 'story-qa',
  FROM_CLIENT_ID: 'client-from',
  TYPE_NAME: 'badge',
  TYPE_VERSION: '1.0',
  FLAG_KEY: 'flag-qa',
};

/** The body of an operation's request, with test data. */
function bodyOf(id: (typeof operationIds)[number]): unknown {
  const { request } = operation(id);
  return request && exportedBodies[request]?.((key) => fromRequests[key] ?? '');
}

const base = (area: AreaId) => `{{host}}/${area}`;
const ids = operationIds.filter((id) => id !== 'getFriendProfile');

/** The headers of an operation, apart from the token, which is the collection's authorisation. */
function headersOf(id: (typeof operationIds)[number]): { key: string; value: string }[] {
  return headerSets[operation(id).headerSet]
    .filter((name) => name !== 'authorization')
    .map((name) => ({
      key: headers[name].name,
      value: name === 'mm-api-key' ? '{{theKey}}' : (exported[headers[name].key] ?? ''),
    }));
}

const pathOf = (id: (typeof operationIds)[number]) =>
  operation(id).path.replace('{n1}', '0').replace('{n2}', '50').replace('{language}', 'de').replace('{id}', 'item-qa');

/** A collection with variables, authorisation and folders, written by Postman's own library. */
export function postmanCollectionText(): string {
  const collection = new postman.Collection({
    info: { name: 'QA service' },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{theToken}}', type: 'string' }] },
    variable: [
      { key: 'host', value: 'https://api.qa.test' },
      { key: 'theToken', value: secrets.ACCESS_TOKEN },
      { key: 'theKey', value: secrets.API_KEY },
    ],
    item: areaIds.map((area) => ({
      name: areas[area].title,
      item: ids
        .filter((id) => operation(id).area === area)
        .map((id) => ({
          name: operation(id).title,
          request: {
            method: operation(id).method,
            url: `${base(area)}${pathOf(id)}`,
            header: headersOf(id),
            ...(bodyOf(id) ? { body: { mode: 'raw', raw: JSON.stringify(bodyOf(id)) } } : {}),
          },
        })),
    })),
  });
  return JSON.stringify(collection.toJSON());
}

/** Writes a Bruno collection with its own library: two environments, and a request in each area's folder. */
export function writeBrunoCollection(folder: string): void {
  const bearer = { mode: 'bearer', bearer: { token: '{{theToken}}' } };
  const environment = (host: string) =>
    lang.envJsonToBruV2({
      variables: [
        { name: 'host', value: host, enabled: true, secret: false },
        { name: 'theToken', value: secrets.ACCESS_TOKEN, enabled: true, secret: false },
        { name: 'theKey', value: '', enabled: true, secret: true },
        { name: 'old', value: 'x', enabled: false, secret: false },
      ],
    });
  writeFiles(folder, {
    'bruno.json': { version: '1', name: 'QA', type: 'collection' },
    'collection.bru': lang.jsonToCollectionBru({ auth: bearer }),
    'environments/qa.bru': environment('https://api.qa.test'),
    'environments/production.bru': environment('https://api.production.test'),
  });
  for (const id of ids) {
    const { area, method, title } = operation(id);
    const request = {
      meta: { name: title, type: 'http', seq: 1 },
      http: { method: method.toLowerCase(), url: `${base(area)}${pathOf(id)}`, body: 'json', auth: 'inherit' },
      headers: headersOf(id).map(({ key, value }) => ({ name: key, value, enabled: true })),
      ...(bodyOf(id) ? { body: { json: JSON.stringify(bodyOf(id), null, 2) } } : {}),
    };
    writeFiles(folder, { [`${areas[area].title}/${id}.bru`]: lang.jsonToBruV2(request) });
  }
}

/** An OpenAPI document with servers at every level, in YAML. */
export function openapiText(): string {
  const paths: Record<string, Record<string, object>> = {};
  for (const id of ids) {
    const { area, path, method } = operation(id);
    const servers = [
      { url: 'https://{stage}.qa.test/{area}', variables: { stage: { default: 'api' }, area: { default: area } } },
      { url: `https://api.production.test/${area}` },
    ];
    paths[path] = { ...paths[path], [method.toLowerCase()]: { servers, responses: { 200: { description: 'ok' } } } };
  }
  paths['/v1/health'] = { get: { responses: { 200: { description: 'ok' } } } };
  return stringify({
    openapi: '3.1.0',
    info: { title: 'QA service', version: '1' },
    servers: [{ url: '/relative' }],
    paths,
  });
}
