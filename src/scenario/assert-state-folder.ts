import { assertWritableFolder, fileRoles } from '../config/files/index.ts';
import type { Environment } from '../config/index.ts';
import { stateFolder } from './output-folders.ts';

/**
 * Where runs act as users that stay, they keep locks, and note the undo of a change before it is made: one error now, instead of one
 * for each call.
 * @throws FileTrouble when nothing can be kept.
 */
export function assertStateFolder({ provisionUrl }: Environment): void {
  if (provisionUrl === undefined) assertWritableFolder(stateFolder(), fileRoles.state);
}
