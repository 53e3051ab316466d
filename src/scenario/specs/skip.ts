import { type SkipCategory, SuiteError, whyNotAllowed } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { RESTORABLE, readTags } from './tags.ts';

/** The environment doesn't allow a scenario or lacks data for it: it is skipped, with the reason. */
export class Skipped extends SuiteError {
  override readonly name = 'Skipped';
  readonly category: SkipCategory;

  constructor(reason: string, category: SkipCategory = 'no-data') {
    super(reason);
    this.category = category;
  }
}

export function canRestore({ allowedEffects, readProfile }: Environment): boolean {
  return allowedEffects.has('reversible') && readProfile !== undefined;
}

/** The reason why a scenario may not run here; `undefined` if it may. */
export function whySkipped(title: string, tags: readonly string[], environment: Environment): Skipped | undefined {
  const { effect } = readTags(title, tags);
  if (effect === 'overwriting' && tags.includes(RESTORABLE) && canRestore(environment)) return undefined;
  const reason = whyNotAllowed(effect, environment.allowedEffects);
  return reason === undefined ? undefined : new Skipped(`not allowed in ${environment.name}: ${reason}`, 'not-allowed');
}
