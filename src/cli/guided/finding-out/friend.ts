import { type Exchange, isSuccess, type SuccessRule } from '../../../client/index.ts';
import type { Found } from './found.ts';

/** Whether the service knows FRIEND_USER_ID, from a read of that profile or as that user. */
export function friendKnown(
  { operation, response, failure }: Exchange,
  how: 'request' | 'token',
  rule?: SuccessRule,
): Found {
  if (!response) return { text: `Whether FRIEND_USER_ID is known: no response (${failure?.reason ?? 'unknown'}).` };
  const { status } = response;
  const by = how === 'request' ? 'its profile can be read' : 'its token is accepted';
  if (isSuccess(operation, response, rule)) return { text: `FRIEND_USER_ID is known: ${by}.` };
  if (how === 'request' && (status === 404 || status === 410))
    return { text: `FRIEND_USER_ID is not known there (${status}): correct it, or leave it out.` };
  if (how === 'token' && (status === 401 || status === 403))
    return { text: `FRIEND_ACCESS_TOKEN is refused (${status}): correct it, or FRIEND_USER_ID.` };
  return { text: `Whether FRIEND_USER_ID is known: not clear (${status}).` };
}
