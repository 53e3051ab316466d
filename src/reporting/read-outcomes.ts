import { fileRoles, readTextIfAny } from '../config/files/index.ts';
import type { TestOutcome } from './summary.ts';

/** What the run's reporter left of each test. Half a file, on a full disk, says nothing. */
export function readOutcomes(file: string): TestOutcome[] {
  try {
    const found: unknown = JSON.parse(readTextIfAny(file, fileRoles.output) ?? '[]');
    return Array.isArray(found) ? found : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
