import { areaIds, areas } from '../../service/index.ts';
import type { ExportedEnvironment, ExportedRequest } from './exported-requests.ts';

/** A file for the HTTP clients of JetBrains' editors and of VS Code (REST Client). */
function httpFile({ name, variables, secrets, requests }: ExportedEnvironment): string {
  const missing = variables.filter(({ value }) => value === '').map((variable) => variable.name);
  const head = [
    `# ${name}: the operations of the specification, written by \`sextant export\`.`,
    `# ${secrets.join(' and ')} are not in this file. Define them where your editor keeps private variables:`,
    '# JetBrains: http-client.private.env.json. VS Code: "rest-client.environmentVariables" in the settings.',
    ...(missing.length > 0 ? [`# To be filled in, because ${name} has none: ${missing.join(', ')}.`] : []),
  ];
  const values = variables.map((variable) => `@${variable.name} = ${variable.value}`);
  return `${[head.join('\n'), values.join('\n'), ...requests.map(requestText)].join('\n\n')}\n`;
}

function requestText({ id, title, description, method, url, headers, body }: ExportedRequest): string {
  const lines = [
    `### ${title}`,
    `# @name ${id}`,
    `# ${description}`,
    `${method} ${url}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return body === undefined ? lines.join('\n') : `${lines.join('\n')}\n\n${body}`;
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

function postmanCollection({ name, variables, secrets, requests }: ExportedEnvironment): string {
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

/** The Postman environment for a collection. It names the secrets, but doesn't contain their values. */
function postmanEnvironment({ name, variables, secrets }: ExportedEnvironment): string {
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

interface ExportFormat {
  readonly files: (exported: ExportedEnvironment) => Readonly<Record<string, string>>;
  /** The text for standard output: the content of one of the `files`, because standard output can't hold several files. */
  readonly printed: (exported: ExportedEnvironment) => string;
}

export const exportFormats = {
  http: { files: (exported) => ({ [`${exported.name}.http`]: httpFile(exported) }), printed: httpFile },
  postman: {
    files: (exported) => ({
      [`${exported.name}.postman_collection.json`]: postmanCollection(exported),
      [`${exported.name}.postman_environment.json`]: postmanEnvironment(exported),
    }),
    printed: postmanCollection,
  },
} as const satisfies Record<string, ExportFormat>;

export type ExportFormatName = keyof typeof exportFormats;

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
