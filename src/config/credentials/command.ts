import { execFile } from 'node:child_process';
import { type Issue, NotIssued } from '../../client/index.ts';
import { workFolder } from '../project-root.ts';
import { issuedOf } from './issued-text.ts';

const LONGEST_MS = 30_000;
/** A longer output is no credential. */
const MOST_BYTES = 64_000;

/**
 * Runs a program without a shell; its output is the credential, or JSON with `access_token` and `expires_in` in seconds. Messages name
 * the program alone: its arguments and what it prints may be secret.
 */
export function issueByCommand(key: string, [program = '', ...args]: readonly string[]): Issue {
  return () =>
    new Promise((resolve, reject) => {
      const options = { cwd: workFolder, timeout: LONGEST_MS, maxBuffer: MOST_BYTES, windowsHide: true } as const;
      execFile(program, args, options, (error, output) => {
        try {
          if (error) throw new NotIssued(`${key} was not issued: ${program} ${whyFailed(error)} (${key}_COMMAND)`);
          resolve(issuedOf(credentialIn(output), key, program));
        } catch (trouble) {
          reject(trouble);
        }
      });
    });
}

function whyFailed({ code, killed }: { readonly code?: unknown; readonly killed?: boolean }): string {
  if (code === 'ENOENT') return 'is no program that can be found';
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `printed more than ${MOST_BYTES / 1000} kB`;
  if (killed) return `did not end within ${LONGEST_MS / 1000} s`;
  return typeof code === 'number' ? `ended with exit code ${code}` : `could not be run (${String(code)})`;
}

function credentialIn(output: string): { readonly value: unknown; readonly expiresIn?: unknown } {
  if (!/^\s*\{/.test(output)) return { value: output };
  try {
    const { access_token: value, expires_in: expiresIn } = JSON.parse(output);
    return { value, expiresIn };
  } catch {
    return { value: output };
  }
}
