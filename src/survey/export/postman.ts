import { areaIds, areas } from '../../spec/index.ts';
import type { ExportedEnvironment, ExportedRequest } from './exported-requests.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** A Postman collection (format 2.1) with a folder for each area. */
export function postmanCollection({ name, variables, secrets, requests }: ExportedEnvironment): string {
  return json({
    info: {
      name: `Sextant: ${name}`,
      description: `The operations of the specification, written by \`sextant export\`. Set ${secrets.join(' and ')} in the environment.`,
      schema: SCHEMA,
    },
    item: areaIds.map((area) => ({
      name: areas[area].title,
      item: requests.filter((request) => request.area === area).map(item),
    })),
    variable: variables.map((variable) => ({ key: variable.name, value: variable.value, type: 'string' })),
  });
}

/** The environment of the collection; secrets are in it without a value. */
export function postmanEnvironment({ name, variables, secrets }: ExportedEnvironment): string {
  return json({
    name,
    values: [
      ...variables.map((variable) => ({ key: variable.name, value: variable.value, type: 'default', enabled: true })),
      ...secrets.map((key) => ({ key, value: '', type: 'secret', enabled: true })),
    ],
    _postman_variable_scope: 'environment',
  });
}

function item({ title, description, method, url, headers, body }: ExportedRequest) {
  const [host = '', ...path] = url.split('/');
  return {
    name: title,
    request: {
      method,
      description,
      header: headers.map(([key, value]) => ({ key, value })),
      url: { raw: url, host: [host], path },
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    },
    response: [],
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
