import type { OperationId } from '../../src/spec/index.ts';

/** The values behind the assumptions; the handlers use them. */
export const assumed = {
  pageCap: 100,
  maxBodyBytes: 1_048_576,
  successStatus: {
    block: [200],
    unblock: [200],
    listBlocked: [200],
    listBlockers: [200],
    love: [200],
    unlove: [200],
    reportOptions: [200],
    report: [201],
    cloneType: [201],
    saveAvatar: [201, 200],
    updateProfile: [200],
    getFriendProfile: [200],
    evaluate: [200],
    deleteItem: [204],
  },
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
} as const satisfies { readonly successStatus: Readonly<Record<OperationId, readonly number[]>> } & Record<
  string,
  unknown
>;
