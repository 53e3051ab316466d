import type { Operation } from './operations.ts';

/**
 * The read of a profile (row 12), a request that the specification doesn't show. A team that knows it sets FRIEND_PROFILE_REQUEST.
 * It is an operation like the others, except that its method and path come from the environment.
 */
export const readProfile = {
  id: 'readProfile',
  row: 12,
  title: 'Get friend profile (FRIEND_PROFILE_REQUEST)',
  area: 'profile',
  headerSet: 'user',
  effect: 'read',
} as const satisfies Omit<Operation, 'method' | 'path'>;
