import type { Handlers } from '../handler-request.ts';
import { evaluate } from './features.ts';
import { block, listBlocked, listBlockers, unblock } from './friends.ts';
import { cloneType } from './game-design.ts';
import { readProfile, saveAvatar, updateProfile } from './profile.ts';
import { deleteItem } from './storage.ts';
import { love, report, reportOptions, unlove } from './stories.ts';

export const handlers: Handlers = {
  block,
  listBlocked,
  listBlockers,
  unblock,
  love,
  unlove,
  reportOptions,
  report,
  cloneType,
  saveAvatar,
  updateProfile,
  // The request given under row 12's name is row 11's, so it does what row 11 does.
  getFriendProfile: updateProfile,
  evaluate,
  deleteItem,
};

export { readProfile };
