/** Statuses, limits and lists that the specification doesn't state, so this service chooses them. The handlers use them. */
export const assumed = {
  pageCap: 100,
  maxBodyBytes: 1_048_576,
  reportCodes: ['SEXUALLY_INAPPROPRIATE', 'HATE_OR_HARASSMENT', 'SPAM'],
  languages: ['de', 'en', 'fr'],
  missingCredential: 401,
  missingHeader: 400,
  invalidCredential: 401,
  wrongIdentity: 403,
  invalidBody: 400,
  unsupportedMediaType: 415,
  bodyTooLarge: 413,
  pathTooLong: 414,
  methodNotAllowed: 405,
  notFound: 404,
  versionExists: 409,
} as const;
