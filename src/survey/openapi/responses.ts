import { STATUS_CODES } from 'node:http';
import type { ObservedOperation, ObservedResponse } from '../../client/index.ts';
import { counted } from '../../config/index.ts';

/** The observed responses of an operation by status. */
export function responsesOf(observed: ObservedOperation | undefined) {
  // `200` and `200 refused` are one status with two bodies.
  const byStatus = Map.groupBy(Object.entries(observed?.answers ?? {}), ([kind]) => kind.split(' ')[0] ?? kind);
  const known = [...byStatus].map(([status, kinds]) => [
    status,
    response(
      status,
      kinds.map(([, answer]) => answer),
    ),
  ]);
  const rest = { description: observed ? 'never observed' : 'not in the specification, and not observed' };
  return { ...Object.fromEntries(known), default: rest };
}

function response(status: string, answers: readonly ObservedResponse[]) {
  const samples = answers.reduce((sum, answer) => sum + answer.samples, 0);
  const description = `${STATUS_CODES[status] ?? 'Status'} (observed in ${counted(samples, 'response')})`;
  const types = new Set(answers.flatMap(({ contentTypes }) => contentTypes).filter((type) => type !== null));
  const schemas = answers.flatMap(({ schema }) => (schema ? [schema] : []));
  const schema = schemas.length > 1 ? { anyOf: schemas } : schemas[0];
  const hasBody = answers.some(({ body }) => body !== 'never');
  if (!hasBody || types.size === 0) return { description };
  return { description, content: Object.fromEntries([...types].map((type) => [type, schema ? { schema } : {}])) };
}
