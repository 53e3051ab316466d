import { ConfigurationError } from '../../config/index.ts';
import {
  type AreaId,
  callableIds,
  type Effect,
  type HeaderSetId,
  operation,
  operationIds,
  pathParameters,
} from '../../spec/index.ts';
import { type Change, entryIn, identifier, importIn, kebab, newFile, type Skeleton, words } from './insert.ts';
import { scenarioFile } from './scenario.ts';

export interface OperationWish {
  readonly name: string;
  readonly area: AreaId;
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderSetId;
  readonly effect: Effect;
  /** The record of its body, new or known. */
  readonly request?: string | undefined;
}

const camel = /^[a-z][a-zA-Z0-9]*$/;

/** @throws ConfigurationError */
export function operationSkeleton(wish: OperationWish): Skeleton {
  const { area, path, effect, request } = wish;
  const name = identifier('an operation', wish.name, camel, 'sendInvite');
  if ((callableIds as readonly string[]).includes(name))
    throw new ConfigurationError(`The operation ${name} exists already. Choose another name.`);
  if (!/^\/v1\/[\w/{}.-]+$/.test(path))
    throw new ConfigurationError(
      `${JSON.stringify(path)} can't be a path; expected: /v1/stories/{id}, below the base address.`,
    );
  const spec = `tests/scenarios/${kebab(name)}.spec.ts`;
  const title = words(name);
  return {
    changes: [
      ...requestOf(request),
      entryIn('src/spec/operations.ts', 'export const operations = {', entryOf(name, title, wish)),
      entryIn(
        'reference-service/handlers/index.ts',
        'export const served: Served = {',
        `  // Not written yet.\n  ${name}: { handle: () => ({ status: 501 }), statuses: [200], body: 'no body' },\n`,
      ),
      ...(request === undefined
        ? [entryIn('src/spec/samples.ts', 'export const paths: Samples<PathOperationId> = {', pathOf(name, path))]
        : []),
      scenarioFile(spec, title.toLowerCase(), area, effect, `call ${name}, and end the call in what should come of it`),
    ],
    next: [
      ...(request === undefined || isKnown(request)
        ? []
        : [`schemas/${kebab(request)}.ts: its fields; src/spec/samples.ts: a valid one`]),
      'src/spec/operations.ts: read its entry; `undo` names the operation that takes it back',
      'reference-service/handlers/index.ts: what the reference service does, and the statuses and the body of its successes',
      `${spec}: the story; delete its line \`unwritten\``,
      'reference-service/faults/: a fault that the scenario catches',
    ],
  };
}

/** Whether an operation has such a record already. */
function isKnown(request: string): boolean {
  return operationIds.some((id) => operation(id).request === request);
}

function entryOf(name: string, title: string, { area, method, path, headers, request, effect }: OperationWish): string {
  const fields = [
    `row: ${operationIds.length + 1}`,
    `title: '${title}'`,
    `area: '${area}'`,
    `method: '${method}'`,
    `path: '${path}'`,
    `headerSet: '${headers}'`,
    ...(request === undefined ? [] : [`request: '${request}'`]),
    `effect: '${effect}'`,
  ];
  return `  ${name}: {\n${fields.map((field) => `    ${field},\n`).join('')}  },\n`;
}

/** Invented ids, until the scenario's data has real ones. */
function pathOf(name: string, path: string): string {
  const names = pathParameters(path);
  if (names.length === 0) return `  ${name}: () => ({}),\n`;
  return `  ${name}: ({ data }) => ({ ${names.map((each) => `${each}: data.id()`).join(', ')} }),\n`;
}

function requestOf(request: string | undefined): Change[] {
  if (request === undefined || isKnown(request)) return [];
  const name = identifier('a request record', request, camel, 'storyPin');
  const file = kebab(name);
  const schema = `/** ${words(name)}: its fields are not written yet. */
export const ${name} = {
  $id: '${file}',
  title: '${words(name)}',
  type: 'object',
  properties: {},
  required: [],
  additionalProperties: false,
} as const;
`;
  return [
    newFile(`schemas/${file}.ts`, schema),
    importIn('schemas/requests.ts', name, `./${file}.ts`),
    entryIn('schemas/requests.ts', 'export const requestSchemas = {', `  ${name},\n`),
    entryIn('src/spec/samples.ts', 'export const bodies: Samples<RequestSchemaName> = {', `  ${name}: () => ({}),\n`),
  ];
}
