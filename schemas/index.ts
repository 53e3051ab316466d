/*
 * The documented request records as JSON Schema (specification, part 2), with types and a validator.
 * Callers pass the name of a record and a value.
 * The validator returns the problems of the value, each with its JSON Pointer.
 */
export { KNOWN_REPORT_CODE, PROFILE_INCLUDES } from './records.ts';
export { type RequestBody, type RequestSchemaName, requestSchemas } from './requests.ts';
export { validateRequest } from './validate.ts';
