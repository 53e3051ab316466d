import { join } from 'node:path';
import { areaIds, areas } from '../spec/index.ts';
import { ConfigurationError, configurationError, type Problem } from './configuration-error.ts';
import { contractOf } from './contract/contract-of.ts';
import { issuedCredentials } from './credentials/issued-credentials.ts';
import { didYouMean } from './did-you-mean.ts';
import { atPort, type Environment, isEmbedded, LOCAL_PORT_VARIABLE, toEnvironment } from './environment.ts';
import { fileRoles, isThere } from './files/index.ts';
import { readVariables, readVariablesIfAny } from './files/parse-variables.ts';
import { shown } from './files/shown.ts';
import { environmentFiles, environmentNames, environmentsFolder } from './folder.ts';
import { checkKeys, type KeyProblem, unknownKeys } from './keys/check-keys.ts';
import { credentialKeys, keys, secretKeys, type Values } from './keys/keys.ts';
import { knownReadings } from './learned/known-readings.ts';
import { observedFolder, readFacts, readObserved, surveysFolder } from './learned/read-survey.ts';
import { present } from './present.ts';
import { isOnThisMachine, routeOf } from './route.ts';
import { commandKey, fileKey, findSecrets, processKey } from './secrets.ts';

export interface LoadOptions {
  readonly folder?: string;
  readonly processEnvironment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Loads an environment.
 * @throws ConfigurationError that lists every problem of its files at once.
 */
export function loadEnvironment(name: string, options: LoadOptions = {}): Environment {
  const { folder = environmentsFolder(), processEnvironment = process.env } = options;
  const paths = environmentFiles(name, folder);
  if (!isThere(paths.own, fileRoles.environment)) throw unknownEnvironment(name, folder);
  const own = { file: shown(paths.own), raw: readVariables(paths.own, fileRoles.environment) };
  const secret = { file: shown(paths.secret), raw: readVariablesIfAny(paths.secret, fileRoles.secrets) };

  const checked = checkKeys(keys, own.raw);
  const values: Partial<Values> = checked.values;
  const problems: Problem[] = [];
  const add = ({ file }: { readonly file: string }, found: readonly KeyProblem[]) =>
    problems.push(...found.map((each) => ({ file, ...each })));
  add(own, checked.problems);
  const secretNames = [
    ...Object.keys(secretKeys).flatMap((key) => [key, fileKey(key)]),
    ...credentialKeys.map(commandKey),
  ];
  // By what is there: a missing address is one problem, and not one with each secret as well.
  const addresses = areaIds.map((area) => values[areas[area].addressKey]).filter((address) => address !== undefined);
  const sources = { values, process: processEnvironment };
  const isLoopback = addresses.length > 0 && addresses.every((address) => isOnThisMachine(address as URL, sources));
  const found = findSecrets({ environment: name, isLoopback, own, secret, process: processEnvironment });
  problems.push(...found.problems);
  add(own, unknownKeys(own.raw, [...Object.keys(keys), ...secretNames]));
  add(secret, unknownKeys(secret.raw, secretNames));
  const { secrets } = found;
  const { route, problems: ofRoute } = routeOf({ ...sources, secrets, file: paths.own });
  add(own, ofRoute);
  const issued = issuedCredentials({ name, values, ...found, ...present({ route }) });
  add(own, issued.problems);
  for (const key of ['ACCESS_TOKEN', 'API_KEY'] as const) {
    const isProvisioned = key === 'ACCESS_TOKEN' && values.PROVISION_URL !== undefined;
    const wasRejected = found.problems.some((problem) => problem.key === key || problem.key.endsWith(fileKey(key)));
    if (secrets[key] || issued.credentials[key] || isProvisioned || wasRejected) continue;
    const elsewhere = processKey(name, key);
    add(secret, [{ key, text: `is missing; set it here, or as ${elsewhere} in the process environment` }]);
  }
  if ((secrets.FRIEND_ACCESS_TOKEN ?? issued.credentials.FRIEND_ACCESS_TOKEN) && !values.FRIEND_USER_ID)
    add(own, [{ key: 'FRIEND_USER_ID', text: 'is missing; FRIEND_ACCESS_TOKEN needs the id of its user' }]);
  const learned = readObserved(observedFolder(name, processEnvironment));
  const surveyed = readFacts(join(surveysFolder(processEnvironment), `${name}.json`));
  problems.push(...learned.problems, ...surveyed.problems);
  const openApi = contractOf(values, folder);
  add(own, openApi.problems);
  if (problems.length > 0) throw configurationError(name, problems);
  const drift = values.DRIFT ?? (processEnvironment.CI ? 'fail' : 'warn');
  const environment: Environment = {
    ...toEnvironment(name, values as Values, secrets, issued.credentials, isLoopback),
    observed: learned.observed,
    ...(surveyed.facts ? { facts: surveyed.facts } : {}),
    readings: knownReadings(values as Values, [...(surveyed.facts?.values() ?? [])]),
    drift,
    ...present({ contract: openApi.contract, route }),
  };
  const moved = Number(processEnvironment[LOCAL_PORT_VARIABLE]);
  return moved > 0 && isEmbedded(environment) ? atPort(environment, moved) : environment;
}

function unknownEnvironment(name: string, folder: string): ConfigurationError {
  const names = environmentNames(folder);
  const list = names.length > 0 ? `Environments: ${names.join(', ')}.` : 'The folder contains none.';
  return new ConfigurationError(
    `There is no environment "${name}" in ${shown(folder)}${didYouMean(name, names)}. ${list}`,
  );
}
