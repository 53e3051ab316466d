import { relative } from 'node:path';

/** A path as a message shows it: relative where that is shorter to read. */
export function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' || near.startsWith('..') ? path : near;
}
