import type { fileRoles } from '../../config/files/index.ts';
import { configurationFiles } from './configuration-files.ts';
import type { OpenedFile, OpenedIn } from './opened-file.ts';
import { otherFiles } from './other-files.ts';
import type { Sandbox } from './sandbox.ts';
import { stateFiles } from './state-files.ts';

/** Every file that the program opens, by what it is for: a role that is missing here doesn't compile. */
export function openedFiles({ at }: Sandbox, environmentText: string): readonly OpenedFile[] {
  const setting = { at, environmentText };
  const byRole: OpenedIn<keyof typeof fileRoles> = {
    ...configurationFiles(setting),
    ...stateFiles(setting),
    ...otherFiles(setting),
  };
  return Object.values(byRole).flat();
}
