import { type RequestSchemaName, requestSchemas } from '../../../schemas/index.ts';
import type { Environment } from '../../config/index.ts';
import {
  type AreaId,
  areas,
  type Effect,
  exportedBodies,
  headerSets,
  headers,
  type Operation,
  operation,
  operationIds,
  pathParameters,
} from '../../spec/index.ts';
import { exportedVariables, reference, type Variable, type VariableName } from './variables.ts';

/** An operation as a request for another tool: variables stand in it as `{{NAME}}`, a syntax that all of them share. */
export interface ExportedRequest {
  readonly id: string;
  readonly title: string;
  readonly row: number;
  readonly area: AreaId;
  readonly effect: Effect;
  readonly method: string;
  /** `{{FRIEND_URL}}/v1/friends/block`. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** JSON. */
  readonly body?: string;
}

/** The operations of an environment with its data. */
export interface ExportedEnvironment {
  readonly name: string;
  readonly variables: readonly Variable[];
  /** The names of the variables that the user must set: no export holds a secret. */
  readonly secrets: readonly string[];
  readonly requests: readonly ExportedRequest[];
}

/** All operations, and FRIEND_PROFILE_REQUEST where it is set. */
export function exportedEnvironment(environment: Environment, unusedItem: string | undefined): ExportedEnvironment {
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
  const { id, title, row, area, effect, method, request } = each;
  const body = request
    ? JSON.stringify(exportedBodies[request]?.((key) => use(key as VariableName).inJson) ?? outlineOf(request), null, 2)
    : undefined;
  const given: [string, string][] = headerSets[each.headerSet].map((name) => {
    const { name: shown, key } = headers[name];
    return [shown, name === 'authorization' ? `bearer {{${key}}}` : `{{${key}}}`];
  });
  const extra = Object.entries(each.extraHeaders ?? {}).map(([name, value]): [string, string] => [name, value]);
  return {
    id,
    title,
    row,
    area,
    effect,
    method,
    url: `{{${areas[area].addressKey}}}${pathOf(each, environment, use)}`,
    headers: [...(body ? [['Content-Type', 'application/json'] as const] : []), ...given, ...extra],
    ...(body ? { body } : {}),
  };
}

function pathOf({ path }: Operation, { blockListSegments }: Environment, use: Use): string {
  const values: Readonly<Record<string, string | undefined>> = {
    ...blockListSegments,
    language: use('REPORT_LANGUAGE').inPath,
    id: use('STORED_ITEM_ID').inPath,
    userId: use('FRIEND_USER_ID').inPath,
  };
  // Where nothing is known to put into a path, it keeps its hole.
  return pathParameters(path).reduce(
    (made, name) => made.replace(`{${name}}`, values[name] ?? `{${name}}`),
    path as string,
  );
}

interface Shape {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
}

const examples: Readonly<Record<string, unknown>> = {
  string: 'sextant-export',
  integer: 1,
  number: 1,
  boolean: false,
  array: [],
};

/** A body with the required fields of a record, for records whose data no environment names. */
export function outlineOf(record: RequestSchemaName): unknown {
  return exampleOf(requestSchemas[record]);
}

function exampleOf({ type = 'object', required = [], properties = {} }: Shape): unknown {
  if (type !== 'object') return examples[type];
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]));
}
