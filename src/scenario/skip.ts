import { type SkipCategory, SuiteError, whyNotAllowed } from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import { type AreaId, areaIds, type Effect, effects } from '../spec/index.ts';

/** The environment doesn't allow a scenario or lacks data for it: it is skipped, with the reason. */
export class Skipped extends SuiteError {
  override readonly name = 'Skipped';
  readonly category: SkipCategory;

  constructor(reason: string, category: SkipCategory = 'no-data') {
    super(reason);
    this.category = category;
  }
}

/** A scenario has wrong tags: it needs one effect, and one area or `@all`. */
export class TagError extends SuiteError {
  override readonly name = 'TagError';
  readonly category = 'suite-fault';
}

/** The area and the effect in a scenario's tags. */
export function readTags(title: string, tags: readonly string[]): { area: AreaId | 'all'; effect: Effect } {
  const names = tags.map((tag) => tag.replace(/^@/, ''));
  const areas = names.filter((name): name is AreaId | 'all' => name === 'all' || areaIds.includes(name as AreaId));
  const graves = names.filter((name): name is Effect => effects.includes(name as Effect));
  if (areas.length !== 1 || graves.length !== 1) {
    throw new TagError(
      `"${title}" must be tagged with one area (${areaIds.join(', ')}, all) and one effect (${effects.join(', ')}); it has ${tags.join(' ') || 'no tag'}.`,
    );
  }
  return { area: areas[0] as AreaId | 'all', effect: graves[0] as Effect };
}

/** The tag of a scenario that overwrites only the profile, which can be restored if it can be read. */
const RESTORABLE = '@restorable';

/** Whether profile changes are allowed because they can be restored. */
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
