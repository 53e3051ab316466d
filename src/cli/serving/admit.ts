import { assertWritableFolder, fileRoles, readTextIfAny, realPath } from '../../config/files/index.ts';
import { attempt, ConfigurationError, EMBEDDED, type Environment, loadEnvironment } from '../../config/index.ts';
import { type Served, whyStateIsLost } from '../../prober/index.ts';
import type { HostPort } from '../../runner/index.ts';
import { assertConsent, consentTo, stateFolder } from '../../scenario/index.ts';

export interface AdmitOptions {
  /** `--yes`. */
  readonly yes: boolean;
  /** Whether a terminal may be asked for consent, which keeps everything else waiting. */
  readonly mayAsk: boolean;
  /** Whether consent can be remembered. */
  readonly isKept: boolean;
  /** The environment as it is used: moved, or restricted. */
  readonly asUsed: (loaded: Environment) => { readonly environment: Environment; readonly restriction?: string };
}

/** Loads an environment and gets consent to runs against it; whatever is wrong with it is in the result. */
export async function admit(name: string, { yes, mayAsk, isKept, asUsed }: AdmitOptions): Promise<Served> {
  const used = attempt(() => asUsed(loadEnvironment(name)));
  if (used instanceof ConfigurationError) return { state: 'broken', reason: used.message };
  try {
    if (yes || mayAsk) await consentTo(used.environment, { yes, isKept });
    else assertConsent(used.environment);
    return { state: 'ready', ...used };
  } catch (error) {
    if (error instanceof ConfigurationError) return { state: 'refused', reason: error.message };
    throw error;
  }
}

/**
 * The environment as a prober uses it whose state would be lost: without a provisioner, a change that a killed run leaves behind would stay
 * in the service for good, so only `read` is allowed.
 */
export function restricted(
  environment: Environment,
  stateProblem: string | undefined,
): { readonly environment: Environment; readonly restriction?: string } {
  const { allowedEffects, provisionUrl, name } = environment;
  const isHarmless = provisionUrl !== undefined || [...allowedEffects].every((effect) => effect === 'read');
  if (stateProblem === undefined || isHarmless) return { environment };
  return {
    environment: { ...environment, allowedEffects: new Set(['read']) },
    restriction: `${name}: only read requests are sent, because the undo journal would not last: ${stateProblem}. Mount a volume there, or name another folder in SEXTANT_STATE.`,
  };
}

/** Why the undo of a change can't be noted so that a later process finds it; `undefined` if it can. */
export function stateProblem(): string | undefined {
  const folder = stateFolder();
  const trouble = attempt(() => assertWritableFolder(folder, fileRoles.state));
  if (trouble) return trouble.message;
  const mounts = attempt(() => readTextIfAny('/proc/self/mountinfo', fileRoles.state));
  // Empty where the platform has none.
  const why = whyStateIsLost(typeof mounts === 'string' ? mounts : '', realPath(folder, fileRoles.state));
  return why && `${folder} ${why}`;
}

/** The embedded environment, if it is among those to probe and can be used. */
export function embeddedAmong(names: readonly string[]): Environment[] {
  if (!names.includes(EMBEDDED)) return [];
  const loaded = attempt(() => loadEnvironment(EMBEDDED));
  // What is wrong with it is reported with the others.
  return loaded instanceof ConfigurationError ? [] : [loaded];
}

const usual: HostPort = { host: '127.0.0.1', port: 9465 };

/**
 * `127.0.0.1:9465`, `127.0.0.1`, `:9465` (every address of this machine), `[::1]:9465`; what is left out is as usual.
 * @throws ConfigurationError that names `source`, the option or variable
 */
export function listenAddress(text: string | undefined, source: string): HostPort {
  if (text === undefined || text === '') return usual;
  const [, bracketed, plain, digits] = /^(?:\[([\da-f:.]+)\]|([^\s:/[\]]*))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const port = digits === undefined ? usual.port : Number(digits);
  if (/^[\da-f]*(:[\da-f]*){2,}$/i.test(text)) return { host: text, port: usual.port };
  const host = bracketed ?? (plain === '' ? '0.0.0.0' : plain);
  if (host === undefined || port > 65_535)
    throw new ConfigurationError(
      `${source} ${JSON.stringify(text)} is not an address to listen on; expected e.g. 127.0.0.1:9465, 0.0.0.0 or [::1]:9465.`,
    );
  return { host, port };
}
