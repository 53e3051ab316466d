import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { assertWritableFolder, type FileRole, FileTrouble, fileRoles } from '../../../config/files/index.ts';
import { shown } from '../../../config/files/shown.ts';
import { counted, environmentsFolder, surveysFolder } from '../../../config/index.ts';
import { outputFolder, stateFolder } from '../../../scenario/index.ts';
import { proxyVariables } from '../connection-test/connection-cure.ts';
import { type Diagnosis, fine } from './diagnosis.ts';

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

export interface RuntimeFacts {
  /** e.g. `26.10.0`. */
  readonly version: string;
  readonly path: string;
  /** Whether it can run TypeScript as it is. */
  readonly runsTypeScript: boolean;
}

/** The version that the project brings along. */
const PACKAGED = /[/\\]node_modules[/\\]node-(bin-)?(linux|darwin|win)[^/\\]*[/\\]/;
const TESTED_MAJOR = 26;

export function runtimeDiagnosis({ version, path, runsTypeScript }: RuntimeFacts): Diagnosis {
  const subject = 'runtime';
  const which = `Node ${version}, ${PACKAGED.test(path) ? 'the packaged one' : `not the packaged one: ${path}`}`;
  if (!runsTypeScript)
    return {
      subject,
      severity: 'problem',
      text: `${which}; it can't run TypeScript`,
      cure: 'npm ci without --omit=optional, or Node 22.18 or newer',
    };
  if (Number(version.split('.')[0]) < TESTED_MAJOR)
    return {
      subject,
      severity: 'note',
      text: which,
      cure: `npm ci without --omit=optional brings Node ${TESTED_MAJOR}, with which Sextant is tested`,
    };
  return fine(subject, which);
}

export interface FolderFacts {
  readonly what: string;
  readonly path: string;
  /** Every run writes there; otherwise only some commands do. */
  readonly isNeeded: boolean;
  /** Why files can't be made there, with its cure. */
  readonly trouble?: string;
  /** Free space for this user; absent: unknown. */
  readonly freeBytes?: number;
}

export function folderDiagnosis({ what, path, trouble, isNeeded }: FolderFacts): Diagnosis {
  const subject = 'folder';
  if (trouble === undefined) return fine(subject, `${what}: ${path} can be written`);
  const [text = trouble, ...cures] = trouble.split('. ');
  return {
    subject,
    severity: isNeeded ? 'problem' : 'note',
    text,
    cure: cures.join('. ').replace(/\.$/, ''),
  };
}

const MB = 1_000_000;
/** A run with its report takes some 20 MB. */
const SCARCE = 200 * MB;
const FULL = 30 * MB;

export function diskDiagnosis({ what, freeBytes }: Pick<FolderFacts, 'what' | 'freeBytes'>): Diagnosis | undefined {
  if (freeBytes === undefined) return undefined;
  const text = `${Math.floor(freeBytes / MB).toLocaleString('en')} MB free for ${what}`;
  if (freeBytes >= SCARCE) return fine('disk', text);
  const cure = 'make room there, or name another folder with SEXTANT_OUTPUT or SEXTANT_STATE';
  return { subject: 'disk', severity: freeBytes < FULL ? 'problem' : 'warning', text, cure };
}

export function proxyDiagnosis(proxies: readonly string[], hasExceptions: boolean): Diagnosis {
  if (proxies.length === 0) return fine('proxies', 'none named; Sextant connects directly');
  const names = `${proxies.join(', ')}${hasExceptions ? ' (and NO_PROXY)' : ''}`;
  return {
    subject: 'proxies',
    severity: 'note',
    text: `${names} ${proxies.length === 1 && !hasExceptions ? 'is' : 'are'} set, and used by environments with PROXY=env alone`,
  };
}

/** Variables by which Node changes how certificates are checked. */
export function trustDiagnosis({
  checksCertificates,
  extraAuthorities,
}: {
  readonly checksCertificates: boolean;
  /** The file of NODE_EXTRA_CA_CERTS, and whether it can be read. */
  readonly extraAuthorities?: { readonly path: string; readonly isReadable: boolean };
}): Diagnosis {
  const subject = 'certificates';
  if (!checksCertificates)
    return {
      subject,
      severity: 'warning',
      text: 'NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate is checked, so credentials may go to anybody',
      cure: 'remove it, and name the authority with NODE_EXTRA_CA_CERTS',
    };
  if (!extraAuthorities) return fine(subject, 'checked against the authorities that Node trusts');
  const { path, isReadable } = extraAuthorities;
  if (isReadable) return fine(subject, `checked, with the authorities of ${path} too`);
  return {
    subject,
    severity: 'problem',
    text: `NODE_EXTRA_CA_CERTS names ${path}, which can't be read; Node goes on without it`,
    cure: 'correct the path',
  };
}

/** Environments that the doctor was not asked about. */
export function environmentsDiagnosis(usable: readonly string[], others: readonly string[]): Diagnosis {
  const subject = 'environments';
  const rest = others.length > 0 ? `; not usable yet: ${others.join(', ')}` : '';
  if (usable.length === 0)
    return { subject, severity: 'note', text: `none can be used${rest}`, cure: 'npx sextant environments new' };
  return fine(subject, `${counted(usable.length, 'environment')} can be used: ${usable.join(', ')}${rest}`);
}
