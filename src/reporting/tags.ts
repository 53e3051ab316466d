import { readTags, TagError } from '../scenario/index.ts';
import type { AreaId, Effect } from '../spec/index.ts';

/** What a test's tags say; a test whose tags are wrong fails by itself, and is counted all the same. */
export function tagsOf(title: string, tags: readonly string[]): { area: AreaId | 'all'; effect?: Effect } {
  try {
    return readTags(title, tags);
  } catch (error) {
    if (error instanceof TagError) return { area: 'all' };
    throw error;
  }
}
