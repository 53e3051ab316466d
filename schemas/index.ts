export { PROFILE_INCLUDES } from './profile.ts';
export { type RequestBody, type RequestSchemaName, requestSchemas } from './requests.ts';
export { KNOWN_REPORT_CODE } from './story-report.ts';
export { validateRequest } from './validate.ts';
