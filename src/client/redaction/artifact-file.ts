import { writeFile } from 'node:fs/promises';
import type { Redacted } from './redacted.ts';

/** Writes a file that people, or the next run, will read. */
export function writeArtifact(path: string, content: Redacted | Redacted<Uint8Array>): Promise<void> {
  return writeFile(path, content);
}
