import { counted } from '../../../config/index.ts';
import { type Finding, fine, note, warning } from './findings.ts';

/** Examines what every environment needs: the runtime, and whether it checks certificates. */
export function examineMachine(env: NodeJS.ProcessEnv = process.env): Finding[] {
  return [runtimeFinding(process.versions.node, process.execPath), trustFinding(env)];
}

const TESTED_MAJORS = [24, 26];

export function runtimeFinding(version: string, path: string): Finding {
  const text = `Node ${version}: ${path}`;
  return TESTED_MAJORS.includes(Number(version.split('.')[0]))
    ? fine('runtime', text)
    : note('runtime', text, `Sextant is tested with Node ${TESTED_MAJORS.join(' and ')}`);
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
