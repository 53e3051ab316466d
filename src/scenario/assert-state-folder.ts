import { assertWritableFolder, fileRoles } from '../config/files/index.ts';
import type { Environment } from '../config/index.ts';
import { stateFolder } from './output-folders.ts';

/**
 * Where changes may be made to users that stay, their undo must be noted first: one error now, instead of one for each call.
 * @throws FileTrouble when nothing can be noted.
 */
export function assertStateFolder({ allowedEffects, provisionUrl }: Environment): void {
  const mayChange = [...allowedEffects].some((effect) => effect !== 'read');
  if (mayChange && provisionUrl === undefined) assertWritableFolder(stateFolder(), fileRoles.state);
}
