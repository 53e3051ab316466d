import type { Change } from '../../src/cli/skeletons/insert.ts';

/** Inserts `added` before the first `marker` of a file. */
export function insert(file: string, marker: string, added: string): Change {
  return {
    file,
    make: (text) => {
      if (!text?.includes(marker)) throw new Error(`${file} doesn't contain ${marker}`);
      return text.replace(marker, () => added + marker);
    },
  };
}
