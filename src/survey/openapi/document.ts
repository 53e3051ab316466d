import { requestSchemas } from '../../../schemas/index.ts';
import type { Observed } from '../../client/index.ts';
import {
  type AreaId,
  areas,
  type HeaderSetId,
  headerSets,
  headers,
  type Operation,
  operation,
  operationIds,
  pathParameters,
} from '../../spec/index.ts';
import { responsesOf } from './responses.ts';

export interface DocumentOptions {
  readonly version: string;
  /** Base address by area, if an environment is exported. */
  readonly addresses?: Readonly<Record<AreaId, URL>>;
  readonly observed?: Observed;
  /** Operation 12, from FRIEND_PROFILE_REQUEST. */
  readonly readProfile?: Operation;
}

/** An OpenAPI 3.1 document of the operations, with observed responses if there are any. */
export function openApiDocument(options: DocumentOptions) {
  const rows: Operation[] = operationIds.map(operation);
  if (options.readProfile) rows.push(options.readProfile);
  const byPath = Map.groupBy(rows, ({ path }) => path);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Social, Story, Profile, Design-Template, Feature-Toggle and Storage HTTP API',
      version: options.version,
      description:
        'Paths, headers and request bodies come from the specification. Responses come from a survey; responses that were not observed are unknown.',
    },
    servers: [{ url: '/', description: 'each path names the server of its area' }],
    tags: Object.entries(areas).map(([name, { title, purpose }]) => ({ name, description: `${title}: ${purpose}` })),
    paths: Object.fromEntries([...byPath].map(([path, entries]) => [path, pathItem(entries, options)])),
    components: {
      securitySchemes,
      schemas: Object.fromEntries(
        Object.entries(requestSchemas).map(([name, { $id: _, ...schema }]) => [name, schema]),
      ),
    },
  };
}

function pathItem(entries: readonly Operation[], options: DocumentOptions) {
  const [{ area }] = entries as [Operation];
  const byMethod = Map.groupBy(entries, ({ method }) => method.toLowerCase());
  return {
    servers: [server(area, options.addresses?.[area])],
    ...Object.fromEntries([...byMethod].map(([method, same]) => [method, operationObject(same, options)])),
  };
}

function server(area: AreaId, address: URL | undefined) {
  const description = areas[area].title;
  if (address) return { url: address.href.replace(/\/$/, ''), description };
  const variable = areas[area].addressKey.toLowerCase();
  return {
    url: `{${variable}}`,
    description,
    variables: {
      [variable]: { default: `https://${area.toLowerCase()}.example`, description: 'differs by environment' },
    },
  };
}

/** Operations 11 and 12 share one request, so one object describes both. */
function operationObject(entries: readonly Operation[], { observed }: DocumentOptions) {
  const [first] = entries as [Operation];
  const { headerSet, request, area, effect } = first;
  return {
    operationId: first.id,
    tags: [area],
    summary: entries.map(({ title }) => title).join(' / '),
    description: `Specification, part 4, row ${entries.map(({ row }) => row).join(' and row ')}. Effect: ${effect}.`,
    parameters: [...pathParameters(first.path).map(pathParameter), ...contextParameters(headerSet)],
    ...(request ? { requestBody: requestBody(request) } : {}),
    responses: responsesOf(observed?.get(first.id)),
    security: [security(headerSet)],
  };
}

function pathParameter(name: string) {
  const isNumber = /^n\d$/.test(name);
  return { name, in: 'path', required: true, schema: isNumber ? { type: 'integer', minimum: 0 } : { type: 'string' } };
}

function contextParameters(headerSet: HeaderSetId) {
  return headerSets[headerSet]
    .filter((name) => headers[name].kind === 'context')
    .map((name) => ({
      name,
      in: 'header',
      required: true,
      description: headers[name].meaning,
      schema: { type: 'string', minLength: 1 },
    }));
}

function requestBody(request: string) {
  return { required: true, content: { 'application/json': { schema: { $ref: `#/components/schemas/${request}` } } } };
}

/** The credential and the ids of a header set, all required together. */
function security(headerSet: HeaderSetId): Record<string, string[]> {
  const names = headerSets[headerSet].filter((name) => headers[name].kind !== 'context');
  return Object.fromEntries(names.map((name) => [name, []]));
}

const securitySchemes = Object.fromEntries(
  Object.entries(headers)
    .filter(([, { kind }]) => kind !== 'context')
    .map(([key, { name, meaning }]) => [
      key,
      key === 'authorization'
        ? { type: 'http', scheme: 'bearer', description: meaning }
        : { type: 'apiKey', in: 'header', name, description: meaning },
    ]),
);
