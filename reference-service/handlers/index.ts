import type { Served } from '../handler-request.ts';
import { evaluate } from './features.ts';
import { block, listBlocked, listBlockers, unblock } from './friends.ts';
import { cloneType } from './game-design.ts';
import { readProfile, saveAvatar, updateProfile } from './profile.ts';
import { deleteItem } from './storage.ts';
import { love, report, reportOptions, unlove } from './stories.ts';

const blocking = '{friendId: string, blocked: boolean}';
const users = '{userId: string, blockedAt: date-time}[]';
const loving = '{storyId: string, loved: boolean, loves: integer}';
const ownProfile = '{userId: string, name: string, status: string, url: string, gender: integer}';

/** The handler of each operation. A survey must find the statuses and bodies of its successes. */
export const served: Served = {
  block: { handle: block, statuses: [200], body: blocking },
  listBlocked: { handle: listBlocked, statuses: [200], body: users },
  listBlockers: { handle: listBlockers, statuses: [200], body: users },
  unblock: { handle: unblock, statuses: [200], body: blocking },
  love: { handle: love, statuses: [200], body: loving },
  unlove: { handle: unlove, statuses: [200], body: loving },
  reportOptions: {
    handle: reportOptions,
    statuses: [200],
    body: '{code: "HATE_OR_HARASSMENT" | "SEXUALLY_INAPPROPRIATE" | "SPAM", label: string}[]',
  },
  report: { handle: report, statuses: [201], body: '{reportId: string, storyId: string, reports: string[]}' },
  cloneType: {
    handle: cloneType,
    statuses: [201],
    body: '{TypeName: string, TypeVersion: string, DefaultTypeVersion: string | null}',
  },
  saveAvatar: {
    handle: saveAvatar,
    statuses: [201, 200],
    body: '{avatarId: string, includes: string, name: string, meta: string, items: {itemId: string, type: integer, designId?: string}[]}',
  },
  updateProfile: { handle: updateProfile, statuses: [200], body: ownProfile },
  // The specification shows operation 11's request for operation 12, so both do the same.
  getFriendProfile: { handle: updateProfile, statuses: [200], body: ownProfile },
  evaluate: { handle: evaluate, statuses: [200], body: '{key: string, active: boolean, value: string}' },
  deleteItem: { handle: deleteItem, statuses: [204], body: 'no body' },
};

export { readProfile };
