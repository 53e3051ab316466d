import { join } from 'node:path';

/** Where runs leave what they make; SEXTANT_OUTPUT names another folder than `results`. */
export function outputFolder(): string {
  return process.env.SEXTANT_OUTPUT ?? join(import.meta.dirname, '..', 'results');
}
