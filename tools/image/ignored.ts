import { matchesGlob } from 'node:path';

/** Whether a `.dockerignore` keeps a path out of the build: the last line that fits it decides, as Docker reads it. */
export function isIgnored(ignore: string, path: string): boolean {
  const lines = ignore.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  let ignored = false;
  for (const line of lines) {
    const isKept = line.startsWith('!');
    const pattern = isKept ? line.slice(1) : line;
    if (matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`)) ignored = !isKept;
  }
  return ignored;
}
