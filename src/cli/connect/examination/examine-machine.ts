import { type Finding, fine, warning } from './findings.ts';

/** Examines what every environment needs: whether the runtime checks certificates. */
export function examineMachine(env: NodeJS.ProcessEnv = process.env): Finding[] {
  return [trustFinding(env)];
}

/** Warns if NODE_TLS_REJECT_UNAUTHORIZED is 0, because Node then checks no certificate at all. */
export function trustFinding({ NODE_TLS_REJECT_UNAUTHORIZED: checked }: NodeJS.ProcessEnv): Finding {
  if (checked !== '0') return fine('certificates', 'are checked');
  return warning(
    'certificates',
    'NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate is checked, so credentials may go to anybody',
    'remove it, and name the authority with CA_FILE',
  );
}
