import type { Environment } from '../../environment/index.ts';
import { inventedData, unusedItems } from '../../scenario/index.ts';
import {
  type AreaId,
  areaIds,
  areas,
  exportedBodies,
  headerSets,
  headers,
  type Operation,
  operation,
  operationIds,
  pathParameters,
} from '../../service/index.ts';
import { learnedRecord, type Shape } from './learned-record.ts';

/** A request for another tool, made from an operation. It contains variables such as `{{NAME}}`, in a syntax that all these tools share. */
export interface ExportedRequest {
  readonly id: string;
  readonly title: string;
  readonly area: AreaId;
  /** The operation's row in the specification, and its effect. */
  readonly description: string;
  readonly method: string;
  /** The URL with variables, for example `{{FRIEND_URL}}/v1/friends/block`. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The values of path parameters, as they are in `url`. A parameter without a known value is left out. */
  readonly pathValues: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ExportedEnvironment {
  readonly name: string;
  readonly variables: readonly Variable[];
  /** The names of the variables for secrets. The user must set them, because no export contains a secret. */
  readonly secrets: readonly string[];
  readonly requests: readonly ExportedRequest[];
}

/** Exports all documented operations, and operation 12 if FRIEND_PROFILE_REQUEST is set. */
export function exportedEnvironment(
  environment: Environment,
  unusedItem = unusedItems(environment, environment.data.storedItemIds)[0],
): ExportedEnvironment {
  const variables = exportedVariables(environment, unusedItem);
  const operations: Operation[] = [
    ...operationIds.map(operation),
    ...(environment.readProfile ? [environment.readProfile] : []),
  ];
  const use = (name: VariableName) => reference(name, variables);
  return {
    name: environment.name,
    variables,
    secrets: ['ACCESS_TOKEN', 'API_KEY'],
    requests: operations.map((each) => requestOf(each, environment, use)),
  };
}

type Use = (name: VariableName) => { readonly inPath: string; readonly inJson: string };

function requestOf(each: Operation, environment: Environment, use: Use): ExportedRequest {
  const { id, title, area, method, request } = each;
  const record = request && learnedRecord(id, request, environment.facts);
  const known = request && exportedBodies[request]?.((key) => use(key as VariableName).inJson);
  const body = record && JSON.stringify(fitted(known ?? outlineOf(record), record), null, 2);
  const given: [string, string][] = headerSets[each.headerSet].map((name) => {
    const { name: shown, key } = headers[name];
    return [shown, name === 'authorization' ? `bearer {{${key}}}` : `{{${key}}}`];
  });
  const pathValues = pathValuesOf(each, environment, use);
  const extra = Object.entries(each.extraHeaders ?? {}).map(([name, value]): [string, string] => [name, value]);
  return {
    id,
    title,
    area,
    description: describeRows(each),
    method,
    // If a path parameter has no known value, it stays in the URL as `{name}`.
    url: `{{${areas[area].addressKey}}}${each.path.replace(/\{(\w+)\}/g, (hole, name) => pathValues[name] ?? hole)}`,
    pathValues,
    headers: [...(body ? [['Content-Type', 'application/json'] as const] : []), ...given, ...extra],
    ...(body ? { body } : {}),
  };
}

/** A text such as `Specification, part 4, row 1. Effect: reversible.` Several rows can share one request. */
export function describeRows(...rows: readonly [Operation, ...Operation[]]): string {
  return `Specification, part 4, row ${rows.map(({ row }) => row).join(' and row ')}. Effect: ${rows[0].effect}.`;
}

function pathValuesOf({ path }: Operation, { blockListSegments }: Environment, use: Use): Record<string, string> {
  const values: Readonly<Record<string, string>> = {
    ...blockListSegments,
    language: use('REPORT_LANGUAGE').inPath,
    id: use('STORED_ITEM_ID').inPath,
    userId: use('FRIEND_USER_ID').inPath,
  };
  return Object.fromEntries(pathParameters(path).flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
}

/** A body with only the required fields of a record, if the environment has no data for this record. */
export function outlineOf({ type = 'object', required = [], properties = {} }: Shape): unknown {
  if (type !== 'object') return examples[type];
  return Object.fromEntries(required.map((name) => [name, outlineOf(properties[name] ?? {})]));
}

const examples: Readonly<Record<string, unknown>> = {
  string: 'sextant-export',
  integer: 1,
  number: 1,
  boolean: false,
  array: [],
};

/**
 * If the operation isn't known to accept a value in the body, replaces this value by the first value that the operation is known to accept.
 */
function fitted(value: unknown, { enum: allowed, items = {}, properties = {} }: Shape): unknown {
  if (allowed && !allowed.includes(value)) return allowed[0];
  if (Array.isArray(value)) return value.map((item) => fitted(item, items));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, fitted(inner, properties[name] ?? {})]),
  );
}

/** A variable that contains no secret. If its value is empty, the user must set it. */
interface Variable {
  readonly name: string;
  readonly value: string;
}

/**
 * The test data of an environment. If there is no user id or flag key, invents one, because the exported requests work with any id and any
 * key.
 */
function dataOf({ caller, friend, data }: Environment, unusedItem: string | undefined) {
  const invented = inventedData(0);
  return {
    FRIEND_USER_ID: friend.userId ?? invented.idLike(caller.userId),
    STORY_ID: data.storyId,
    REPORT_LANGUAGE: data.reportLanguage,
    FLAG_KEY: data.flagKey ?? invented.text(),
    FROM_CLIENT_ID: data.fromClientId,
    TYPE_NAME: data.typeName,
    TYPE_VERSION: data.typeVersion,
    STORED_ITEM_ID: unusedItem,
  };
}

type VariableName = keyof ReturnType<typeof dataOf>;

function exportedVariables(environment: Environment, unusedItem: string | undefined): Variable[] {
  const { addresses, caller } = environment;
  const all: Readonly<Record<string, string | undefined>> = {
    ...Object.fromEntries(areaIds.map((area) => [areas[area].addressKey, addresses[area].href.replace(/\/$/, '')])),
    CLIENT_ID: caller.clientId,
    USER_ID: caller.userId,
    ...Object.fromEntries(
      Object.entries(caller.app).map(([name, value]) => [name.toUpperCase().replace('-', '_'), value]),
    ),
    ...dataOf(environment, unusedItem),
  };
  return Object.entries(all).map(([name, value = '']) => ({ name, value }));
}

/**
 * The text with which a request uses a variable. Tools insert values without escaping. So if a path or JSON would have to escape the value,
 * the request contains the value instead of the variable.
 */
function reference(
  name: VariableName,
  variables: readonly Variable[],
): { readonly inPath: string; readonly inJson: string } {
  const { value } = variables.find((each) => each.name === name) as Variable;
  const isPlain = JSON.stringify(value) === `"${value}"`;
  const inPath = encodeURIComponent(value);
  return { inPath: inPath === value ? `{{${name}}}` : inPath, inJson: isPlain ? `{{${name}}}` : value };
}

/** Replaces the variables in a text by their values, but keeps the variables for secrets. `undefined` if a value is missing. */
export function filled(text: string, variables: readonly Variable[]): string | undefined {
  let isWhole = true;
  const made = text.replace(/\{\{(\w+)\}\}/g, (reference, name) => {
    const variable = variables.find((each) => each.name === name);
    isWhole &&= variable?.value !== '';
    return variable?.value ?? reference;
  });
  return isWhole ? made : undefined;
}
