import { FileTrouble } from '../../config/files/index.ts';

/** The result of `work`; `undefined` where it can't use a file that can be done without. */
export function unlessFileTrouble<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof FileTrouble) return undefined;
    throw error;
  }
}
