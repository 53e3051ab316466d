import type { Operation } from './operations.ts';

/**
 * The operation that reads a profile (row 12). The specification doesn't show its request. If a team knows the request, it sets
 * FRIEND_PROFILE_REQUEST.
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
