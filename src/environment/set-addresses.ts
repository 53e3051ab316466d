import { hash } from 'node:crypto';
import { type AreaId, areaIds, areas } from '../service/index.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { Environment } from './environment.ts';
import { EMBEDDED } from './folder.ts';
import { listed } from './sentence-parts.ts';

/** Variable that passes addresses of the command line to the processes of a run: `{"staging": {"FRIEND_URL": "https://…"}}`. */
const SET_VARIABLE = 'SEXTANT_SET';

const addressKeys: readonly string[] = areaIds.map((area) => areas[area].addressKey);

/** Applies the addresses of `--set KEY=ADDRESS` to the only environment in `names`. @throws ConfigurationError */
export function setAddresses(names: readonly string[], given: readonly string[]): void {
  delete process.env[SET_VARIABLE];
  const [name, ...others] = names;
  if (given.length === 0 || name === undefined) return;
  if (others.length > 0 || name === EMBEDDED)
    throw new ConfigurationError(`--set needs one environment, and not ${EMBEDDED}: name it with --env.`);
  const pairs = given.map((each) => /^([^=]*)=?(.*)$/s.exec(each)?.slice(1) ?? []);
  const wrong = pairs.flatMap(([key = '']) => (addressKeys.includes(key) ? [] : [key]));
  if (wrong.length > 0)
    throw new ConfigurationError(`--set ${wrong.join(', ')}: only addresses can be set: ${listed(addressKeys, 'or')}.`);
  process.env[SET_VARIABLE] = JSON.stringify({ [name]: Object.fromEntries(pairs) });
}

/** The addresses that the command line sets for an environment, by key. */
export function addressesSet(name: string, env: Readonly<Record<string, string | undefined>>) {
  try {
    const all = JSON.parse(env[SET_VARIABLE] ?? '{}') as Readonly<Record<string, Readonly<Record<string, string>>>>;
    return all[name] ?? {};
  } catch {
    throw new ConfigurationError(
      `${SET_VARIABLE} does not have the form that --set writes. Remove the variable, and use --set.`,
    );
  }
}

export type Named = Pick<Environment, 'name'> & Partial<Pick<Environment, 'addresses' | 'set'>>;

/**
 * The name under which a run stores consent, journal and used ids. If the command line replaces the address of an area in `only`, the
 * result is another name than the environment's, because consent and changes at the new address don't apply to the address in the file.
 */
export function stateName({ name, addresses, set = [] }: Named, only: readonly AreaId[] = areaIds): string {
  const own = set.filter((area) => only.includes(area)).map((area) => `${area} ${addresses?.[area].href}`);
  return own.length === 0 ? name : `${name}@${hash('sha256', own.join('\n')).slice(0, 12)}`;
}
