import type { FromSchema } from 'json-schema-to-ts';
import {
  avatar,
  designTypeClone,
  featureEvaluation,
  friendReference,
  profile,
  storyReference,
  storyReport,
} from './records.ts';

/** The documented request records by name (specification, part 2). */
export const requestSchemas = {
  friendReference,
  storyReference,
  storyReport,
  avatar,
  profile,
  designTypeClone,
  featureEvaluation,
} as const;

export type RequestSchemaName = keyof typeof requestSchemas;

export type RequestBody<S extends RequestSchemaName> = FromSchema<(typeof requestSchemas)[S]>;
