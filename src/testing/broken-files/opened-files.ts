import { configurationFiles } from './configuration-files.ts';
import { type OpenedFile, type OpenedIn, openedFile, type Role } from './opened-file.ts';
import { otherFiles } from './other-files.ts';
import type { Sandbox } from './sandbox.ts';
import { stateFiles } from './state-files.ts';

/** Every file that the program opens, by what it is for: a role that is missing here doesn't compile. */
export function openedFiles({ at }: Sandbox, environmentText: string): readonly OpenedFile[] {
  const setting = { at, environmentText };
  const byRole: OpenedIn = { ...configurationFiles(setting), ...stateFiles(setting), ...otherFiles(setting) };
  return Object.entries(byRole).flatMap(([role, all]) => all.map((each) => openedFile(role as Role, each, setting)));
}
