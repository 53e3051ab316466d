import type { Operation } from './operations.ts';

/**
 * A request that the document doesn't show but a team knows: row 12 as it really is, from FRIEND_PROFILE_REQUEST.
 * It is an operation like the fourteen, except that its method and path come from the environment.
 */
export const readProfile = {
  id: 'readProfile',
  row: 12,
  title: 'Get friend profile (FRIEND_PROFILE_REQUEST)',
  area: 'profile',
  headerSet: 'user',
  effect: 'read',
} as const satisfies Omit<Operation, 'method' | 'path'>;
