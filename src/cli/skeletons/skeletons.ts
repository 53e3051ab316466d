import { ConfigurationError } from '../../config/index.ts';
import { isPackage, specModule } from '../../config/project-root.ts';
import { channelTypes } from '../../monitor/index.ts';
import {
  type AreaId,
  callableIds,
  type Effect,
  exampleCalls,
  type HeaderSetId,
  operation,
  operationIds,
  pathParameters,
} from '../../spec/index.ts';
import {
  type Change,
  entryIn,
  fits,
  identifier,
  importIn,
  kebab,
  newFile,
  type Skeleton,
  slug,
  words,
} from './insert.ts';

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

export interface ScenarioWish {
  /** The story, or the name of its file. */
  readonly name: string;
  readonly area: AreaId;
  readonly effect: Effect;
}

/**
 * `taken` are the titles that there are, with their files.
 * @throws ConfigurationError for a name that no file can have, or that a scenario has already.
 */
export function scenarioSkeleton({ name, area, effect }: ScenarioWish, taken: ReadonlyMap<string, string>): Skeleton {
  const story = /^[a-z0-9-]+$/.test(name) ? name.replaceAll('-', ' ').trim() : name.trim();
  const file = slug(story);
  if (!/^[a-z]/.test(file) || file.length > 60 || !/^[\w ,.()-]+$/.test(story))
    throw new ConfigurationError(
      `${JSON.stringify(name.slice(0, 80))} can't be the name of a scenario; expected: its story in at most 60 letters and digits, like "love, then unlove".`,
    );
  const there = taken.get(story);
  if (there)
    throw new ConfigurationError(`${JSON.stringify(story)} is a scenario already: ${there}. Choose another title.`);
  const spec = `tests/scenarios/${file}.spec.ts`;
  return {
    changes: [scenarioFile(spec, story, area, effect, `call ${area}, and end each call in what should come of it`)],
    next: [
      `write the story in ${spec}, and delete its line \`unwritten\``,
      ...(effect === 'read' ? [] : [CLEAN_UP]),
      `see it in both runners: npx sextant check --env local --scenario ${JSON.stringify(story)}; npx sextant test --grep ${JSON.stringify(story)}`,
      ...(isPackage
        ? []
        : ['reference-service/faults/: a fault that it catches, unless it catches one already (CONTRIBUTING.md)']),
    ],
  };
}

const CLEAN_UP = `declare clean-up on the line after each change: \`defer(() => ${exampleCalls.undo}.settles());\``;

/** A scenario that calls nothing yet. */
export function scenarioFile(file: string, title: string, area: AreaId, effect: Effect, what: string): Change {
  const [story, details, body] = [`'${title}'`, `{ tag: ['@${area}', '@${effect}'] }`, `async ({ ${area} }) => {`];
  const lines = [`// await ${area}.….succeeds();`, `unwritten(${area}, '${what}');`];
  const inLine = `scenario(${story}, ${details}, ${body}`;
  const code = fits(inLine)
    ? [inLine, ...lines.map((line) => `  ${line}`), '});']
    : ['scenario(', `  ${story},`, `  ${details},`, `  ${body}`, ...lines.map((line) => `    ${line}`), '  },', ');'];
  return newFile(file, `import { scenario, unwritten } from '${specModule}';\n\n${code.join('\n')}\n`);
}

const folder = 'src/monitor/alerting';

/** @throws ConfigurationError */
export function channelSkeleton(given: string): Skeleton {
  const name = identifier('an alert channel', given, /^[a-z][a-z0-9]*$/, 'pager');
  if (Object.hasOwn(channelTypes, name))
    throw new ConfigurationError(`The alert channel ${name} exists already. Choose another name.`);
  const key = `${name.toUpperCase()}_URL`;
  const text = `import { type ChannelType, required, SendFailed, webAddress } from '../channel.ts';

/** ${words(name)}: not written yet. \`posting\` in channel.ts makes a channel that sends JSON. */
export const ${name}: ChannelType = {
  keys: { ${key}: required(webAddress, 'address of ${name}') },
  open: () => async () => {
    throw new SendFailed('${folder}/channels/${name}.ts is not written yet', { isFinal: true });
  },
};
`;
  return {
    changes: [
      newFile(`${folder}/channels/${name}.ts`, text),
      importIn(`${folder}/channels/registry.ts`, name, `./${name}.ts`),
      entryIn(`${folder}/channels/registry.ts`, 'export const channelTypes = {', `  ${name},\n`),
    ],
    next: [
      `write how it sends: ${folder}/channels/${name}.ts`,
      'npm run pages puts its keys into docs/monitoring.md',
      `try it: ${key}=https://… in monitor.env, then npx sextant alerts test --channel ${name}`,
    ],
  };
}
