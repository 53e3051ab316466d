import { assertWritableFolder, fileRoles, readTextIfAny, realPath } from '../../environment/files/index.ts';
import { attempt, ConfigurationError, type Environment } from '../../environment/index.ts';
import { type Served, whyStateIsLost } from '../../prober/index.ts';
import type { HostPort } from '../../run/index.ts';
import { stateFolder } from '../../safety/index.ts';

/** An environment as the prober uses it. It may have other addresses and fewer allowed effects than the environment's file. */
type Used = Omit<Extract<Served, { readonly state: 'ready' }>, 'state'>;

/**
 * Loads an environment, and asks for consent to runs against it. If the environment's files have a mistake, or consent is missing, returns
 * the reason.
 */
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
 * Restricts an environment without a provisioner to reads if the prober's undo journal would be lost. Without the journal, nobody could
 * undo a change that a killed run leaves in the service.
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

/**
 * Why the next process would not find the undo journal of this process, for instance after a restart of the container; `undefined` if the
 * next process would find it.
 */
export function stateProblem(): string | undefined {
  const folder = stateFolder();
  const trouble = attempt(() => assertWritableFolder(folder, fileRoles.state));
  if (trouble) return trouble.message;
  const mounts = attempt(() => readTextIfAny('/proc/self/mountinfo', fileRoles.state));
  // Only Linux has `/proc/self/mountinfo`. On other systems, nothing shows whether the folder is lost, so assume that it stays.
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
