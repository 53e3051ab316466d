import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SpreadDocument } from '../json-report.ts';

/** Where the last whole spread is kept, for docs/kill-matrix.md. */
export const spreadFile = join(import.meta.dirname, '..', 'spread.json');

const none: SpreadDocument = { score: 0, caught: 0, of: 0, combinations: 0, readings: [], survivors: [] };

/** The committed spread; an empty one where there is none yet. */
export function committedSpread(): SpreadDocument {
  return existsSync(spreadFile) ? (JSON.parse(readFileSync(spreadFile, 'utf8')) as SpreadDocument) : none;
}
