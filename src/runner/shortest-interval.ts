import type { Environment } from '../config/index.ts';
import type { Effect } from '../spec/index.ts';

/** The shortest interval of an effect, unless an environment's MONITOR_EVERY_BY_TAG asks for a shorter one; in ms. */
export const shortestMs: Readonly<Partial<Record<Effect, number>>> = {
  overwriting: 600_000,
  irreversible: 3_600_000,
};

/** How far apart runs of a scenario in an environment must begin at least, to spare its data; in ms. */
export function shortestIntervalMs(tags: readonly string[], effect: Effect, { monitoring }: Environment): number {
  const byTag = tags.flatMap((tag) => monitoring.everyMsByTag.get(tag.replace(/^@/, '')) ?? []);
  return byTag.length > 0 ? Math.min(...byTag) : (shortestMs[effect] ?? 0);
}
