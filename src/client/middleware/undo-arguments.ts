import { validateRequest } from '../../../schemas/index.ts';
import { type Operation, type OperationId, operation, requestFields } from '../../spec/index.ts';
import { RawBody } from '../requests/raw-body.ts';

/**
 * The arguments that undo a call, from the call's arguments; `undefined` if it has no undo, or if the effect of its body
 * is unknown.
 */
export function undoArguments({ undo }: Operation, args: unknown): { undo: OperationId; args: unknown } | undefined {
  if (!undo) return undefined;
  const entry = operation(undo as OperationId);
  if (!(args instanceof RawBody)) return { undo: undo as OperationId, args };
  const given = parsed(args.text);
  if (!entry.request || typeof given !== 'object' || given === null) return undefined;
  const documented = requestFields(entry);
  // A service that accepts a number as an id has converted it to a string.
  const kept = Object.fromEntries(
    Object.entries(given)
      .filter(([field]) => documented.includes(field))
      .map(([field, value]) => [field, typeof value === 'number' ? String(value) : value]),
  );
  return validateRequest(entry.request, kept).length === 0 ? { undo: undo as OperationId, args: kept } : undefined;
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
