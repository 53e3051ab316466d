import type { OperationEntry } from './operation-entry.ts';

/** All operations, in the order of the specification (part 4). A key is also the method name in its area's client. */
export const operations = {
  block: {
    title: 'Block friend',
    area: 'friends',
    method: 'POST',
    path: '/v1/friends/block',
    headerSet: 'user',
    request: 'friendReference',
    effect: 'reversible',
    undo: 'unblock',
    shownBy: 'listBlocked',
    shownToThemBy: 'listBlockers',
  },
  listBlocked: {
    title: 'List blocked friends',
    area: 'friends',
    method: 'GET',
    path: '/v1/friends/block/{n1}/{n2}',
    headerSet: 'user',
    effect: 'read',
    isPaged: true,
  },
  listBlockers: {
    title: 'List users who blocked the caller',
    area: 'friends',
    method: 'GET',
    path: '/v1/friends/block/me/{n1}/{n2}',
    headerSet: 'user',
    effect: 'read',
    isPaged: true,
  },
  unblock: {
    title: 'Unblock friend',
    area: 'friends',
    method: 'POST',
    path: '/v1/friends/unblock',
    headerSet: 'user',
    request: 'friendReference',
    effect: 'reversible',
  },
  love: {
    title: 'Love story',
    area: 'stories',
    method: 'POST',
    path: '/v1/stories/love',
    headerSet: 'user',
    request: 'storyReference',
    effect: 'reversible',
    undo: 'unlove',
  },
  unlove: {
    title: 'Unlove story',
    area: 'stories',
    method: 'POST',
    path: '/v1/stories/unlove',
    headerSet: 'user',
    request: 'storyReference',
    effect: 'reversible',
  },
  reportOptions: {
    title: 'Get report options',
    area: 'stories',
    method: 'GET',
    path: '/v1/reports/opt/{language}',
    headerSet: 'user',
    effect: 'read',
  },
  report: {
    title: 'Report story',
    area: 'stories',
    method: 'POST',
    path: '/v1/stories/report',
    headerSet: 'user',
    request: 'storyReport',
    effect: 'irreversible',
    usesUp: { what: 'a report of STORY_ID={storyId}', renewedBy: 'user' },
  },
  cloneType: {
    title: 'Clone type',
    area: 'gameDesign',
    method: 'POST',
    path: '/v1/apikey/type/clone',
    headerSet: 'apiKey',
    request: 'designTypeClone',
    effect: 'irreversible',
    usesUp: { what: 'a clone of TYPE_NAME', renewedBy: 'label' },
  },
  saveAvatar: {
    title: 'Add or update avatar',
    area: 'profile',
    method: 'POST',
    path: '/v1/avatar',
    headerSet: 'user',
    request: 'avatar',
    effect: 'overwriting',
    addsOrUpdates: true,
  },
  updateProfile: {
    title: 'Update profile',
    area: 'profile',
    method: 'PUT',
    path: '/v1/profile',
    headerSet: 'user',
    request: 'profile',
    effect: 'overwriting',
    restoredBy: 'updateProfile',
  },
  // For operation 12, the specification shows the request of operation 11 (part 4, rule 4).
  getFriendProfile: {
    title: 'Get friend profile',
    area: 'profile',
    method: 'PUT',
    path: '/v1/profile',
    headerSet: 'user',
    request: 'profile',
    effect: 'overwriting',
    restoredBy: 'updateProfile',
  },
  evaluate: {
    title: 'Evaluate feature',
    area: 'features',
    method: 'POST',
    path: '/v1/apikey/feature',
    headerSet: 'flag',
    request: 'featureEvaluation',
    effect: 'read',
  },
  deleteItem: {
    title: 'Delete by id',
    area: 'storage',
    method: 'DELETE',
    path: '/v1/features/story/{id}',
    headerSet: 'user',
    effect: 'irreversible',
    extraHeaders: { accept: 'application/json' },
    usesUp: { what: 'a stored item', renewedBy: 'item' },
  },
} as const satisfies Record<string, OperationEntry>;

export type OperationId = keyof typeof operations;
export interface Operation extends OperationEntry {
  readonly id: string;
  /** Row of the table in part 4 of the specification. */
  readonly row: number;
}

export const operationIds = Object.keys(operations) as OperationId[];

/**
 * Whether an operation can succeed in two ways, for one of three reasons: it adds or updates something; it is a PUT, which may create
 * something (RFC 9110, 9.3.4); or only its first request for a user changes something.
 */
export function hasTwoSuccesses(id: string): boolean {
  if (!(id in operations)) return false;
  const { method, addsOrUpdates, usesUp } = operations[id as OperationId] as OperationEntry;
  return addsOrUpdates === true || method === 'PUT' || usesUp?.renewedBy === 'user';
}
