import { assertWritableFolder, fileRoles, readTextIfAny, realPath } from '../../environment/files/index.ts';
import { attempt, ConfigurationError, type Environment } from '../../environment/index.ts';
import { type Served, whyStateIsLost } from '../../prober/index.ts';
import type { HostPort } from '../../run/index.ts';
import { stateFolder } from '../../safety/index.ts';

/** An environment as a process uses it: perhaps with other addresses or fewer effects. */
type Used = Omit<Extract<Served, { readonly state: 'ready' }>, 'state'>;

/** Loads an environment, and gets consent to runs against it. The result includes any problem with the environment. */
export async function admit(
  load: () => Used,
  consent: (environment: Environment) => void | Promise<void>,
): Promise<Served> {
  const used = attempt(load);
  if (used instanceof ConfigurationError) return { state: 'broken', reason: used.message };
  try {
    await consent(used.environment);
    return { state: 'ready', ...used };
  } catch (error) {
    if (error instanceof ConfigurationError) return { state: 'refused', reason: error.message };
    throw error;
  }
}

/**
 * Restricts an environment without a provisioner to `read` if the prober's undo journal would be lost, because a change that a killed run leaves
 * behind would then stay in the service for good.
 */
export function restricted(environment: Environment, stateProblem: string | undefined): Used {
  const { allowedEffects, provisionUrl, name } = environment;
  const isHarmless = provisionUrl !== undefined || [...allowedEffects].every((effect) => effect === 'read');
  if (stateProblem === undefined || isHarmless) return { environment };
  return {
    environment: { ...environment, allowedEffects: new Set(['read']) },
    restriction: `${name}: only read requests are sent, because the undo journal would not last: ${stateProblem}. Mount a volume there, or name another folder in SEXTANT_STATE.`,
  };
}

/** Why a later process could not find the undo journal of this one; `undefined` if it could. */
export function stateProblem(): string | undefined {
  const folder = stateFolder();
  const trouble = attempt(() => assertWritableFolder(folder, fileRoles.state));
  if (trouble) return trouble.message;
  const mounts = attempt(() => readTextIfAny('/proc/self/mountinfo', fileRoles.state));
  // Empty if the platform has no such file.
  const why = whyStateIsLost(typeof mounts === 'string' ? mounts : '', realPath(folder, fileRoles.state));
  return why && `${folder} ${why}`;
}

const usual: HostPort = { host: '127.0.0.1', port: 9465 };

/**
 * Parses an address to listen on: `127.0.0.1:9465`, `127.0.0.1`, `:9465` (every address of this machine) or `[::1]:9465`. Omitted parts get their
 * defaults.
 * @throws ConfigurationError that names `source`, the option or variable
 */
export function listenAddress(text: string | undefined, source: string): HostPort {
  if (text === undefined || text === '') return usual;
  const [, bracketed, plain, digits] = /^(?:\[([\da-f:.]+)\]|([^\s:/[\]]*))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const port = digits === undefined ? usual.port : Number(digits);
  if (/^[\da-f]*(:[\da-f]*){2,}$/i.test(text)) return { host: text, port: usual.port };
  if (/^\d+$/.test(text))
    throw new ConfigurationError(
      `${source} ${text} is only a number; expected an address: 127.0.0.1:${text} for this machine, :${text} for every address.`,
    );
  const host = bracketed ?? (plain === '' ? '0.0.0.0' : plain);
  if (host === undefined || port > 65_535)
    throw new ConfigurationError(
      `${source} ${JSON.stringify(text)} is not an address to listen on; expected e.g. 127.0.0.1:9465, 0.0.0.0 or [::1]:9465.`,
    );
  return { host, port };
}
