import { SpecMistake } from '../client/index.ts';
import { readTags } from '../scenario/index.ts';
import type { AreaId, Effect } from '../spec/index.ts';

/** The area and effect in a test's tags; a test with wrong tags fails by itself, but still counts. */
export function tagsOf(title: string, tags: readonly string[]): { area: AreaId | 'all'; effect?: Effect } {
  try {
    return readTags(title, tags);
  } catch (error) {
    if (error instanceof SpecMistake) return { area: 'all' };
    throw error;
  }
}
