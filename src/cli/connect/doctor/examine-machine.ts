import { statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { shown } from '../../../config/files/file-trouble.ts';
import {
  assertWritableFolder,
  type FileRole,
  FileTrouble,
  fileRoles,
  readText,
  unlessFileTrouble,
} from '../../../config/files/index.ts';
import { counted, environmentsFolder, surveysFolder } from '../../../config/index.ts';
import { outputFolder, stateFolder } from '../../../scenario/index.ts';
import { proxyVariables } from '../connection-test/explain.ts';
import { type Finding, fine, note, problem, warning } from './findings.ts';

/** What holds for every environment: runtime, folders, disk, proxies, trust. */
export function examineMachine(env: NodeJS.ProcessEnv = process.env): Finding[] {
  const folders = foldersOf();
  const disks = Map.groupBy(folders, ({ freeBytes }) => freeBytes);
  return [
    runtimeFinding(process.versions.node, process.execPath, Boolean(process.features.typescript)),
    ...folders.map(folderFinding),
    ...[...disks].flatMap(([free, on]) => diskFindings(on.map(({ what }) => what).join(', '), free)),
    proxyFinding(env),
    trustFinding(env),
  ];
}

interface FolderFacts {
  readonly what: string;
  readonly path: string;
  /** Every run writes there; otherwise only some commands do. */
  readonly isNeeded: boolean;
  /** Why files can't be made there, with its cure. */
  readonly trouble?: string;
  readonly freeBytes?: number;
}

function foldersOf(): FolderFacts[] {
  const folders: readonly (readonly [what: string, path: string, role: FileRole, isNeeded: boolean])[] = [
    ['environments', environmentsFolder(), fileRoles.environment, false],
    ['results', outputFolder(), fileRoles.output, true],
    ['state', stateFolder(), fileRoles.state, true],
    ['surveys', surveysFolder(), fileRoles.survey, false],
  ];
  return folders.map(([what, path, role, isNeeded]) => ({ what, path: shown(path), isNeeded, ...factsOf(path, role) }));
}

/** A folder that isn't there yet would be made: what counts is the one above it. */
function factsOf(path: string, role: FileRole): Pick<FolderFacts, 'trouble' | 'freeBytes'> {
  const there = nearestFolder(resolve(path)) ?? path;
  try {
    assertWritableFolder(there, role);
    const { bavail, bsize } = statfsSync(there);
    return { freeBytes: bavail * bsize };
  } catch (error) {
    return error instanceof FileTrouble ? { trouble: error.message } : {};
  }
}

/** The folder itself, or the nearest one above it; `undefined` if a file is in its way. */
function nearestFolder(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found) return found.isDirectory() ? path : undefined;
  return path === dirname(path) ? undefined : nearestFolder(dirname(path));
}

const PACKAGED = /[/\\]node_modules[/\\]node-(bin-)?(linux|darwin|win)[^/\\]*[/\\]/;
const TESTED_MAJOR = 26;

export function runtimeFinding(version: string, path: string, runsTypeScript: boolean): Finding {
  const which = `Node ${version}, ${PACKAGED.test(path) ? 'the packaged one' : `not the packaged one: ${path}`}`;
  const cure = 'npm ci without --omit=optional';
  if (!runsTypeScript)
    return problem('runtime', `${which}; it can't run TypeScript`, `${cure}, or Node 22.18 or newer`);
  return Number(version.split('.')[0]) < TESTED_MAJOR
    ? note('runtime', which, `${cure} brings Node ${TESTED_MAJOR}, with which Sextant is tested`)
    : fine('runtime', which);
}

export function folderFinding({ what, path, trouble, isNeeded }: FolderFacts): Finding {
  if (trouble === undefined) return fine('folder', `${what}: ${path} can be written`);
  const [text = trouble, ...cures] = trouble.split('. ');
  return (isNeeded ? problem : note)('folder', text, cures.join('. ').replace(/\.$/, ''));
}

const MB = 1_000_000;
/** A run with its report takes some 20 MB. */
const SCARCE = 200 * MB;
const FULL = 30 * MB;

export function diskFindings(what: string, freeBytes: number | undefined): Finding[] {
  if (freeBytes === undefined) return [];
  const text = `${Math.floor(freeBytes / MB).toLocaleString('en')} MB free for ${what}`;
  if (freeBytes >= SCARCE) return [fine('disk', text)];
  const cure = 'make room there, or name another folder with SEXTANT_OUTPUT or SEXTANT_STATE';
  return [(freeBytes < FULL ? problem : warning)('disk', text, cure)];
}

export function proxyFinding(env: NodeJS.ProcessEnv): Finding {
  const proxies = proxyVariables(env);
  const hasExceptions = Boolean(env.NO_PROXY ?? env.no_proxy);
  if (proxies.length === 0) return fine('proxies', 'none named; Sextant connects directly');
  const names = `${proxies.join(', ')}${hasExceptions ? ' (and NO_PROXY) are' : proxies.length === 1 ? ' is' : ' are'}`;
  return note('proxies', `${names} set, and used by environments with PROXY=env alone`);
}

/** Variables by which Node changes how certificates are checked. */
export function trustFinding(env: NodeJS.ProcessEnv): Finding {
  const { NODE_TLS_REJECT_UNAUTHORIZED: checked, NODE_EXTRA_CA_CERTS: extra } = env;
  const subject = 'certificates';
  if (checked === '0')
    return warning(
      subject,
      'NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate is checked, so credentials may go to anybody',
      'remove it, and name the authority with NODE_EXTRA_CA_CERTS',
    );
  if (!extra) return fine(subject, 'checked against the authorities that Node trusts');
  if (unlessFileTrouble(() => readText(extra, { what: 'certificates' })) !== undefined)
    return fine(subject, `checked, with the authorities of ${extra} too`);
  const text = `NODE_EXTRA_CA_CERTS names ${extra}, which can't be read; Node goes on without it`;
  return problem(subject, text, 'correct the path');
}

export function environmentsFinding(usable: readonly string[], others: readonly string[]): Finding {
  const rest = others.length > 0 ? `; not usable yet: ${others.join(', ')}` : '';
  if (usable.length === 0) return note('environments', `none can be used${rest}`, 'npx sextant environments new');
  return fine('environments', `${counted(usable.length, 'environment')} can be used: ${usable.join(', ')}${rest}`);
}
