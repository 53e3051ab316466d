import type { Environment } from '../../config/index.ts';

/** Whether an environment has what it takes to put a profile back: a request that reads it, and leave to change it for a while. */
export function canRestore({ allowedEffects, readProfile }: Environment): boolean {
  return allowedEffects.has('reversible') && readProfile !== undefined;
}

/** Says that runs may overwrite a profile for good; `undefined` where they may not, or it can be read. */
export function unrestorableText({
  allowedEffects,
  readProfile,
  provisionUrl,
  caller,
}: Environment): string | undefined {
  if (!allowedEffects.has('overwriting') || readProfile || provisionUrl) return undefined;
  return `the profile of ${caller.userId} can’t be restored: FRIEND_PROFILE_REQUEST is not set`;
}
