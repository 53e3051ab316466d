import { type RequestSchemaName, requestSchemas } from '../../../schemas/index.ts';
import type { ApiResponse, Call } from '../../call/index.ts';
import { undoArguments } from '../../safety/index.ts';
import { type CallableId, callable, undoneChange } from '../../service/index.ts';
import type { Claim } from '../../verdict/index.ts';
import type { CallByName, Deferred } from './world-basis.ts';

export interface Field {
  /** From the record's root; a number is a list index. */
  readonly path: readonly (string | number)[];
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  /** Prose, not an id or a list in disguise: a text without pattern or least length. */
  readonly isFreeText: boolean;
}

interface Schema {
  readonly type?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

export function fieldsOf(schema: RequestSchemaName): Field[] {
  return fieldsBelow(requestSchemas[schema] as Schema, []);
}

function fieldsBelow({ properties = {}, items }: Schema, path: Field['path']): Field[] {
  const own = Object.entries(properties).flatMap(([name, child]) => {
    const { type, pattern, minLength } = child;
    const isFreeText = type === 'string' && pattern === undefined && minLength === undefined;
    const at = [...path, name];
    return [{ path: at, type: type as Field['type'], isFreeText }, ...fieldsBelow(child, at)];
  });
  return items?.properties ? [...own, ...fieldsBelow(items, [...path, 0])] : own;
}

/** `record` with another value in one place; `undefined` removes the field. */
export function withField(record: unknown, path: Field['path'], value: unknown): unknown {
  const copy = structuredClone(record) as Record<string | number, unknown>;
  const parent = path.slice(0, -1).reduce((node, step) => node[step] as typeof copy, copy);
  const last = path.at(-1) as string;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

export function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

export interface InvalidInput {
  readonly what: string;
  /** A `rawBody`, or path parameters. */
  readonly args: unknown;
  readonly change?: (call: Call) => Call;
}

/** Undoes what may have been carried out although it should have been rejected; with unreadable arguments as they are. */
export function deferUndo(call: CallByName, defer: Deferred['defer']) {
  return (entry: ReturnType<typeof callable>, args: unknown): void => {
    const { undo } = entry;
    if (undo) defer(() => call(undo as CallableId, (undoArguments(entry, args) ?? { args }).args).settles());
  };
}

export function invalidInputSender(call: CallByName, defer: Deferred['defer']) {
  return async (id: CallableId, { what, args, change = (made) => made }: InvalidInput): Promise<ApiResponse> => {
    const claim: Claim = `assumed: ${id} handles ${what}`;
    const undone = undoneChange(id);
    const made = undone && undoArguments(callable(undone), args);
    if (made && !callable(undone).shownBy) {
      // No list shows what the service may undo here, but a refusal shows what was there before.
      await call(undone, made.args).settles();
      deferUndo(call, defer)(callable(undone), made.args);
    }
    const response = await change(call(id, args)).isHandled(claim);
    if (!response.isRefusal) deferUndo(call, defer)(callable(id), args);
    return response;
  };
}
