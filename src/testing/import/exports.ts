import { stringify } from 'yaml';
import { areaIds, areas, exportedBodies, headerSets, headers, operation, operationIds } from '../../service/index.ts';
import { canaries } from '../test-environment.ts';

/** Keys and values of the environment that a team exports in all of the formats below. */
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
/** `exported` without the addresses of areas that have no operation, because no request shows them. */
export const exportedWithRequests: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(exported).filter(([key]) => !silent.includes(key)),
);

export const secrets = { ACCESS_TOKEN: canaries.ACCESS_TOKEN, API_KEY: canaries.API_KEY };

/** Test data that an import finds in requests, in addition to addresses and headers. */
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

const inPaths: Readonly<Record<string, string>> = { n1: '0', n2: '50', language: 'de', id: 'item-qa' };

/** The requests that the team exports. They lack the token, because the collection adds it to all of them. */
const requests = operationIds
  .filter((id) => id !== 'getFriendProfile')
  .map((id) => {
    const { area, path, method, title, headerSet, request } = operation(id);
    const names = headerSets[headerSet].filter((name) => name !== 'authorization');
    return {
      folder: areas[area].title,
      area,
      id,
      path,
      name: title,
      method,
      url: `{{host}}/${area}${path.replace(/\{(\w+)\}/g, (_, name) => inPaths[name] ?? '')}`,
      headers: names.map((name) => ({
        name: headers[name].name,
        value: name === 'mm-api-key' ? '{{theKey}}' : (exported[headers[name].key] ?? ''),
      })),
      body: request && JSON.stringify(exportedBodies[request]?.((key) => fromRequests[key] ?? '')),
    };
  });

const byFolder = [...Map.groupBy(requests, ({ folder }) => folder)];

/**
 * An environment as Postman exports it. `values`: for each variable its value, or an object whose fields replace the usual fields of the
 * variable.
 */
export function postmanEnvironment(values: Readonly<Record<string, unknown>>, more: object = {}): object {
  const variables = Object.entries(values).map(([key, value]) => ({
    key,
    enabled: true,
    type: 'default',
    ...(typeof value === 'string' ? { value } : (value as object)),
  }));
  return { ...more, values: variables };
}

/** A collection with variables, authorisation and folders, as Postman exports it. */
export function postmanCollection(): unknown {
  return {
    info: {
      _postman_id: 'd0586a9b-e5d2-4a71-ac81-067f654bf437',
      name: 'QA service',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: byFolder.map(([name, inside]) => ({ name, item: inside.map(postmanItem), event: [] })),
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{theToken}}', type: 'string' }] },
    event: [],
    variable: [
      { key: 'host', value: 'https://api.qa.test', type: 'any' },
      { key: 'theToken', value: secrets.ACCESS_TOKEN, type: 'any' },
      { key: 'theKey', value: secrets.API_KEY, type: 'any' },
    ],
  };
}

/**
 * A request in a collection. Postman's program writes the URL both as a whole (`raw`) and in parts, Postman's library only in parts. So
 * both forms occur here.
 */
function postmanItem({ id, name, method, url, headers, body }: (typeof requests)[number]): object {
  const [host, ...path] = url.split('/');
  return {
    id,
    name,
    request: {
      method,
      url: { ...(body ? { raw: url } : {}), host: [host], path, query: [], variable: [] },
      header: headers.map(({ name: key, value }) => ({ key, value })),
      ...(body ? { body: { mode: 'raw', raw: body } } : {}),
    },
    response: [],
    event: [],
  };
}

/** An OpenAPI document with servers at every level. */
export function openapiDocument(): object {
  const paths: Record<string, object> = { '/v1/health': { get: { responses: { 200: { description: 'ok' } } } } };
  for (const { area, path, method } of requests) {
    const servers = [
      { url: 'https://{stage}.qa.test/{area}', variables: { stage: { default: 'api' }, area: { default: area } } },
      { url: `https://api.production.test/${area}` },
    ];
    paths[path] = { ...paths[path], [method.toLowerCase()]: { servers, responses: { 200: { description: 'ok' } } } };
  }
  return { openapi: '3.1.0', info: { title: 'QA service', version: '1' }, servers: [{ url: '/relative' }], paths };
}

export const openapiYaml = () => stringify(openapiDocument());

const url = 'https://api.qa.test/features/v1/apikey/feature?trace=1';
const data = '{"key":"new \\"home\\"","default":"false","contextData":{}}';
const escaped = data.replaceAll('\\', '\\\\');
const keyHeader = `mm-api-key: ${secrets.API_KEY}`;
const posix = `curl '${url}' \\
  -H 'accept: */*' \\
  -H 'mm-client-id: client-qa' \\
  -H 'mm-user-id: o'\\''brien' \\
  -H '${keyHeader}' \\
  -b 'session=canary-cookie' \\
  --data-raw '${data}' --compressed`;

/** curl commands for one request, as browsers and people write them. */
export const curlCommands = {
  'Chrome, for bash': posix,
  'a prompt before it': `$ ${posix}\n`,
  'Firefox, with ANSI-C quotes': `curl '${url}' -X POST -H 'mm-client-id: client-qa' -H $'mm-user-id: o\\'brien' -H '${keyHeader}' --data-raw $'${escaped.replaceAll('!', '\\u0021')}'`,
  'double quotes and joined options': `curl -sSXPOST "${url}" -H"mm-client-id: client-qa" -H "mm-user-id: o'brien" -H "${keyHeader}" -d "${escaped.replaceAll('"', '\\"')}" | jq .`,
  'a token of another scheme': `curl '${url}' -X POST -H 'Authorization: Basic canary-basic-123' -H 'mm-client-id: client-qa'`,
};
