import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { assertWritableFolder, type FileRole, FileTrouble, fileRoles } from '../../config/files/index.ts';
import { shown } from '../../config/files/shown.ts';
import { environmentsFolder, surveysFolder } from '../../config/index.ts';
import { outputFolder, stateFolder } from '../../scenario/index.ts';
import { proxyVariables } from '../trying/proxy-variables.ts';
import type { Diagnosis } from './diagnosis.ts';
import {
  diskDiagnosis,
  type FolderFacts,
  folderDiagnosis,
  proxyDiagnosis,
  runtimeDiagnosis,
  trustDiagnosis,
} from './of-machine.ts';

/** What holds for every environment: runtime, folders, disk, proxies, trust. */
export function examineMachine(env: NodeJS.ProcessEnv = process.env): Diagnosis[] {
  const folders = foldersOf();
  const disks = Map.groupBy(folders, ({ freeBytes }) => freeBytes);
  const extra = env.NODE_EXTRA_CA_CERTS;
  return [
    runtimeDiagnosis({
      version: process.versions.node,
      path: process.execPath,
      runsTypeScript: Boolean(process.features.typescript),
    }),
    ...folders.map(folderDiagnosis),
    ...[...disks].flatMap(
      ([freeBytes, on]) =>
        diskDiagnosis({
          what: on.map(({ what }) => what).join(', '),
          ...(freeBytes === undefined ? {} : { freeBytes }),
        }) ?? [],
    ),
    proxyDiagnosis(proxyVariables(env), Boolean(env.NO_PROXY ?? env.no_proxy)),
    trustDiagnosis({
      checksCertificates: env.NODE_TLS_REJECT_UNAUTHORIZED !== '0',
      ...(extra ? { extraAuthorities: { path: extra, isReadable: isReadable(extra) } } : {}),
    }),
  ];
}

function foldersOf(): FolderFacts[] {
  const folders: readonly (readonly [what: string, path: string, role: FileRole, isNeeded: boolean])[] = [
    ['environments', environmentsFolder(), fileRoles.environments, false],
    ['results', outputFolder(), fileRoles.output, true],
    ['state', stateFolder(), fileRoles.state, true],
    ['surveys', surveysFolder(), fileRoles.survey, false],
  ];
  return folders.map(([what, path, role, isNeeded]) => ({ what, path: shown(path), isNeeded, ...factsOf(path, role) }));
}

/** A folder that isn't there yet would be made: what counts is the one above it. */
function factsOf(path: string, role: FileRole): Pick<FolderFacts, 'trouble' | 'freeBytes'> {
  const there = nearestFolder(resolve(path));
  try {
    assertWritableFolder(there === undefined ? path : there, role);
    const { bavail, bsize } = statfsSync(there ?? path);
    return { freeBytes: bavail * bsize };
  } catch (error) {
    if (error instanceof FileTrouble) return { trouble: error.message };
    return {};
  }
}

/** The folder itself, or the nearest one above it; `undefined` if a file is in its way. */
function nearestFolder(path: string): string | undefined {
  for (let at = path; ; at = dirname(at)) {
    const found = statSync(at, { throwIfNoEntry: false });
    if (found) return found.isDirectory() ? at : undefined;
    if (at === dirname(at)) return undefined;
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
