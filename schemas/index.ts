export { KNOWN_REPORT_CODE, PROFILE_INCLUDES } from './records.ts';
export { type RequestBody, type RequestSchemaName, requestSchemas } from './requests.ts';
export { validateRequest } from './validate.ts';
