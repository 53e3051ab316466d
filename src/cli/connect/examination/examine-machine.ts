import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { shown } from '../../../config/files/file-trouble.ts';
import { assertWritableFolder, fileRoles } from '../../../config/files/index.ts';
import { attempt, counted } from '../../../config/index.ts';
import { stateFolder } from '../../../engine/safety/index.ts';
import { outputFolder } from '../../../scenario/index.ts';
import { type Finding, fine, note, problem, warning } from './findings.ts';

/** Examines what every environment needs: runtime, folders, trust. */
export function examineMachine(env: NodeJS.ProcessEnv = process.env): Finding[] {
  return [runtimeFinding(process.versions.node, process.execPath), ...folderFindings(), trustFinding(env)];
}

/** Where every run writes; a folder that isn't there yet would be made: what counts is the one above it. */
function folderFindings(): Finding[] {
  const folders = [
    ['results', outputFolder(), fileRoles.output],
    ['state', stateFolder(), fileRoles.state],
  ] as const;
  return folders.map(([what, path, role]) => {
    const trouble = attempt(() => assertWritableFolder(nearestFolder(resolve(path)) ?? path, role));
    return folderFinding(`${what}: ${shown(path)}`, trouble?.message);
  });
}

export function folderFinding(folder: string, trouble: string | undefined): Finding {
  if (trouble === undefined) return fine('folder', `${folder} can be written`);
  const [text = trouble, ...cures] = trouble.split('. ');
  return problem('folder', text, cures.join('. ').replace(/\.$/, ''));
}

/** The folder itself, or the nearest one above it; `undefined` if a file is in its way. */
function nearestFolder(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found) return found.isDirectory() ? path : undefined;
  return path === dirname(path) ? undefined : nearestFolder(dirname(path));
}

/** A Node that an older one fetched for Sextant. */
const FETCHED = /[/\\]node-[\d.]+-\w+-\w+[/\\]node_modules[/\\]/;
const TESTED_MAJORS = [24, 26];

export function runtimeFinding(version: string, path: string): Finding {
  const which = `Node ${version}, ${FETCHED.test(path) ? 'fetched for Sextant' : 'the installed one'}: ${path}`;
  return TESTED_MAJORS.includes(Number(version.split('.')[0]))
    ? fine('runtime', which)
    : note('runtime', which, `Sextant is tested with Node ${TESTED_MAJORS.join(' and ')}`);
}

/** Node checks no certificate at all where this is set. */
export function trustFinding({ NODE_TLS_REJECT_UNAUTHORIZED: checked }: NodeJS.ProcessEnv): Finding {
  if (checked !== '0') return fine('certificates', 'are checked');
  return warning(
    'certificates',
    'NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate is checked, so credentials may go to anybody',
    'remove it, and name the authority with CA_FILE',
  );
}

export function environmentsFinding(usable: readonly string[], others: readonly string[]): Finding {
  const rest = others.length > 0 ? `; not usable yet: ${others.join(', ')}` : '';
  if (usable.length === 0) return note('environments', `none can be used${rest}`, 'npx sextant environments new');
  return fine('environments', `${counted(usable.length, 'environment')} can be used: ${usable.join(', ')}${rest}`);
}
