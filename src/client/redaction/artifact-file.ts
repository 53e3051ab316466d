import { writeFileSync } from 'node:fs';
import type { Redacted } from './redacted.ts';

/** Writes a file that people, or the next run, will read. */
export function writeArtifact(path: string, content: Redacted | Redacted<Uint8Array>): void {
  writeFileSync(path, content);
}
