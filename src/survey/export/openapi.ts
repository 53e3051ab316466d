import { counted, definedFields, type Environment } from '../../environment/index.ts';
import { parsedJson } from '../../http/index.ts';
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
} from '../../service/index.ts';
import type { ObservedResponse } from '../../verdict/index.ts';
import { describeRows, type ExportedEnvironment, exportedEnvironment, filled } from './exported-requests.ts';
import { answersOf, learnedLanguages, learnedRecord, type Shape } from './learned-record.ts';

// `getBuiltinModule` is used because an `import` would read every export of node:http and so load a WebSocket client: 40 ms in each
// process.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

export interface DocumentOptions {
  readonly version: string;
  /** The environment that gives the document its addresses, examples and facts. Absent: the document contains only the specification. */
  readonly environment?: Environment;
  /** Whether the document also allows responses that no survey has observed. */
  readonly allowsOthers?: boolean;
}

export function openApiDocument(options: DocumentOptions) {
  const { version, environment } = options;
  const knowledge: Known = {
    ...options,
    exported: environment && exportedEnvironment(environment),
    records: new Map(),
  };
  const rows: Operation[] = operationIds.map(operation);
  if (environment?.readProfile) rows.push(environment.readProfile);
  const byPath = Map.groupBy(rows, ({ path }) => path);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Social, Story, Profile, Design-Template, Feature-Toggle and Storage HTTP API',
      version,
      description:
        'Paths, headers and request bodies come from the specification. Responses, and what is more exact than the specification, come from a survey; responses that were not observed are unknown.',
    },
    servers: [{ url: '/', description: 'each path names the server of its area' }],
    tags: Object.entries(areas).map(([name, { title, purpose }]) => ({ name, description: `${title}: ${purpose}` })),
    paths: Object.fromEntries([...byPath].map(([path, entries]) => [path, pathItem(entries, knowledge)])),
    components: { securitySchemes, schemas: Object.fromEntries(knowledge.records) },
  };
}

interface Known extends DocumentOptions {
  readonly exported: ExportedEnvironment | undefined;
  readonly records: Map<string, Shape>;
}

function pathItem(entries: readonly Operation[], known: Known) {
  const [{ area }] = entries as [Operation];
  const byMethod = Map.groupBy(entries, ({ method }) => method.toLowerCase());
  return {
    servers: [server(area, known.environment?.addresses[area])],
    ...Object.fromEntries([...byMethod].map(([method, same]) => [method, operationObject(same, known)])),
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

/** Describes one request. `entries` are the operations that share it, such as operations 11 and 12. */
function operationObject(entries: readonly Operation[], knowledge: Known) {
  const all = entries as [Operation, ...Operation[]];
  const [first] = all;
  const { id, area, headerSet } = first;
  const { environment, exported } = knowledge;
  const example = exported?.requests.find((request) => request.id === id);
  const exampleOf = (text = '') => (text && exported ? filled(text, exported.variables) : undefined);
  return {
    operationId: id,
    tags: [area],
    summary: entries.map(({ title }) => title).join(' / '),
    description: describeRows(...all),
    parameters: [
      ...pathParameters(first.path).map((name) =>
        pathParameter(first, name, exampleOf(example?.pathValues[name]), knowledge),
      ),
      ...headerSets[headerSet].map((header) => {
        const { name, meaning } = headers[header];
        return {
          name,
          in: 'header',
          description: meaning,
          required: answersOf(id, environment?.facts)(`missing-header:${name}`) !== 'accepted',
          schema: { type: 'string', minLength: 1 },
          ...definedFields({ example: exampleOf(example?.headers.find(([given]) => given === name)?.[1]) }),
        };
      }),
    ],
    ...(first.request ? { requestBody: requestBody(first, exampleOf(example?.body), knowledge) } : {}),
    responses: responsesOf(id, knowledge),
    security: [security(headerSet)],
  };
}

function pathParameter({ id }: Operation, name: string, value: string | undefined, { environment }: Known) {
  const isNumber = /^n\d$/.test(name);
  const languages = name === 'language' ? learnedLanguages(id, environment?.facts) : undefined;
  const given = value && decodeURIComponent(value);
  const schema = isNumber ? { type: 'integer', minimum: 0 } : { type: 'string' };
  return {
    name,
    in: 'path',
    required: true,
    schema: { ...schema, ...definedFields({ enum: languages }) },
    ...definedFields({ example: given && isNumber ? Number(given) : given }),
  };
}

/** The body of a request. Operations that accept the same record refer to a single schema. */
function requestBody({ id, request }: Operation, example: string | undefined, { environment, records }: Known) {
  if (!request) return undefined;
  const schema = learnedRecord(id, request, environment?.facts);
  const isAlike = JSON.stringify(records.get(request) ?? schema) === JSON.stringify(schema);
  const name = isAlike ? request : `${request}-${id}`;
  records.set(name, schema);
  return {
    required: true,
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${name}` },
        ...definedFields({ example: parsedJson(example) }),
      },
    },
  };
}

/** Only the credential of a header set. The ids next to it are ordinary headers, because the service may check each of them separately. */
function security(headerSet: HeaderSetId): Record<string, string[]> {
  const names = headerSets[headerSet].filter((name) => headers[name].kind === 'credential');
  return Object.fromEntries(names.map((name) => [name, []]));
}

const securitySchemes = Object.fromEntries(
  Object.entries(headers)
    .filter(([, { kind }]) => kind === 'credential')
    .map(([key, { name, meaning }]) => [
      key,
      key === 'authorization'
        ? { type: 'http', scheme: 'bearer', description: meaning }
        : { type: 'apiKey', in: 'header', name, description: meaning },
    ]),
);

function responsesOf(id: string, { environment, allowsOthers }: Known) {
  const observed = environment?.observed?.get(id);
  // Kinds such as `200` and `200 refused` have the same status with different bodies, so they are joined.
  const byStatus = Map.groupBy(Object.entries(observed?.answers ?? {}), ([kind]) => kind.split(' ')[0] ?? kind);
  const known = [...byStatus].map(([status, kinds]) => {
    const answers = kinds.map(([, answer]) => answer);
    return [status, response(status, answers)] as const;
  });
  const rest = { description: observed ? 'never observed' : 'not in the specification, and not observed' };
  return { ...Object.fromEntries(known), ...(allowsOthers || known.length === 0 ? { default: rest } : {}) };
}

function response(status: string, answers: readonly ObservedResponse[]) {
  const samples = answers.reduce((sum, answer) => sum + answer.samples, 0);
  const description = `${STATUS_CODES[status] ?? 'Status'} (observed in ${counted(samples, 'response')})`;
  const types = new Set(answers.flatMap(({ contentTypes }) => contentTypes).filter((type) => type !== null));
  const schemas = answers.flatMap(({ schema }) => (schema ? [schema] : []));
  const schema = schemas.length > 1 ? { anyOf: schemas } : schemas[0];
  const hasBody = answers.some(({ body }) => body !== 'never');
  if (!hasBody || types.size === 0) return { description };
  const content = definedFields({ schema });
  return { description, content: Object.fromEntries([...types].map((type) => [type, content])) };
}
