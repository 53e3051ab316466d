import type { Environment } from '../../config/index.ts';

/** Whether an environment has what it takes to put a profile back: a request that reads it, and leave to change it for a while. */
export function canRestore({ allowedEffects, readProfile }: Environment): boolean {
  return allowedEffects.has('reversible') && readProfile !== undefined;
}
