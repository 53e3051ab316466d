import { join } from 'node:path';

/** The folder with package.json. */
export const projectRoot = join(import.meta.dirname, '..', '..');
