import type { FromSchema } from 'json-schema-to-ts';
import { avatar } from './avatar.ts';
import { designTypeClone } from './design-type-clone.ts';
import { featureEvaluation } from './feature-evaluation.ts';
import { friendReference } from './friend-reference.ts';
import { profile } from './profile.ts';
import { storyReference } from './story-reference.ts';
import { storyReport } from './story-report.ts';

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

/** The body type of a request record, derived from its schema. */
export type RequestBody<S extends RequestSchemaName> = FromSchema<(typeof requestSchemas)[S]>;
