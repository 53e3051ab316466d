import type { RequestSchemaName } from '../../schemas/index.ts';
import type { AreaId } from './areas.ts';
import type { Effect } from './effects.ts';
import type { HeaderSetId } from './headers.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface OperationEntry {
  /** Row of the table in part 4 of the specification. */
  readonly row: number;
  readonly title: string;
  readonly area: AreaId;
  readonly method: Method;
  /** Below the base address; `{name}` stands for a path parameter. */
  readonly path: `/v1/${string}`;
  readonly headerSet: HeaderSetId;
  readonly request?: RequestSchemaName;
  readonly effect: Effect;
  /** The operation that undoes this one when sent with the same arguments. */
  readonly undo?: string;
  /** The operation that lists for the same user what this one changes, by the id that it was sent. */
  readonly shownBy?: string;
  /** The operation that lists the sender for the user whom this one is sent for. */
  readonly shownToThemBy?: string;
  /** It changes what the user it is sent for may do in other areas, so nothing else runs as this user meanwhile. */
  readonly affectsOthers?: true;
  /** A list whose two numeric path parameters BLOCK_LIST_SEGMENTS gives. */
  readonly isPaged?: true;
  /** The operation that puts back the values which this one overwrites, where `readProfile` shows them. */
  readonly restoredBy?: string;
  /** Something that an accepted request uses up for good. */
  readonly usesUp?: UsedUp;
  /** The same request adds or updates, so it may succeed in two ways (part 4, rule 1). */
  readonly addsOrUpdates?: true;
  /** Additional headers in the operation's row. */
  readonly extraHeaders?: Readonly<Record<string, string>>;
}

interface UsedUp {
  /** What it is, in words; `{name}` stands for an argument. */
  readonly what: string;
  /** What allows the next request: another item, a fresh user, or a free version label. */
  readonly renewedBy: 'item' | 'user' | 'label';
}

/** All operations (specification, part 4). A key is also the method name in its area's client. */
export const operations = {
  block: {
    row: 1,
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
    affectsOthers: true,
  },
  listBlocked: {
    row: 2,
    title: 'List blocked friends',
    area: 'friends',
    method: 'GET',
    path: '/v1/friends/block/{n1}/{n2}',
    headerSet: 'user',
    effect: 'read',
    isPaged: true,
  },
  listBlockers: {
    row: 3,
    title: 'List users who blocked the caller',
    area: 'friends',
    method: 'GET',
    path: '/v1/friends/block/me/{n1}/{n2}',
    headerSet: 'user',
    effect: 'read',
    isPaged: true,
  },
  unblock: {
    row: 4,
    title: 'Unblock friend',
    area: 'friends',
    method: 'POST',
    path: '/v1/friends/unblock',
    headerSet: 'user',
    request: 'friendReference',
    effect: 'reversible',
  },
  love: {
    row: 5,
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
    row: 6,
    title: 'Unlove story',
    area: 'stories',
    method: 'POST',
    path: '/v1/stories/unlove',
    headerSet: 'user',
    request: 'storyReference',
    effect: 'reversible',
  },
  reportOptions: {
    row: 7,
    title: 'Get report options',
    area: 'stories',
    method: 'GET',
    path: '/v1/reports/opt/{language}',
    headerSet: 'user',
    effect: 'read',
  },
  report: {
    row: 8,
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
    row: 9,
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
    row: 10,
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
    row: 11,
    title: 'Update profile',
    area: 'profile',
    method: 'PUT',
    path: '/v1/profile',
    headerSet: 'user',
    request: 'profile',
    effect: 'overwriting',
    restoredBy: 'updateProfile',
  },
  // The specification shows operation 11's request for operation 12 (part 4, rule 4).
  getFriendProfile: {
    row: 12,
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
    row: 13,
    title: 'Evaluate feature',
    area: 'features',
    method: 'POST',
    path: '/v1/apikey/feature',
    headerSet: 'flag',
    request: 'featureEvaluation',
    effect: 'read',
  },
  deleteItem: {
    row: 14,
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
export type Operation = OperationEntry & { readonly id: string };

export const operationIds = Object.keys(operations) as OperationId[];

/** Whether an operation can succeed in two ways: it adds or updates, or is a PUT, which may create (RFC 9110, 9.3.4). */
export function hasTwoSuccesses(id: string): boolean {
  if (!(id in operations)) return false;
  const { method, addsOrUpdates }: OperationEntry = operations[id as OperationId];
  return addsOrUpdates === true || method === 'PUT';
}
