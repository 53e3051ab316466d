import { areaIds, areas } from '../service/index.ts';
import { ConfigurationError, configurationError, type Problem } from './configuration-error.ts';
import { issuedCredentials } from './credentials/issued-credentials.ts';
import { definedFields } from './defined-fields.ts';
import { atPort, type Environment, isEmbedded, LOCAL_PORT_VARIABLE, toEnvironment } from './environment.ts';
import { formerReadings, formerReadingText, readFacts } from './facts.ts';
import { shown } from './files/file-trouble.ts';
import { fileRoles, isThere } from './files/index.ts';
import { readVariablesFile } from './files/parse-variables.ts';
import { environmentFiles, environmentNames, environmentsFolder } from './folder.ts';
import { checkKeys, type KeyProblem, type Report, suspicion, unknownKeys } from './keys/check-keys.ts';
import { credentialKeys, keys, secretKeys, type Values } from './keys/keys.ts';
import { loadNow } from './late-modules.ts';
import { observedFolder, readObserved } from './observed.ts';
import { isOnThisMachine, routeOf } from './route.ts';
import { commandKey, fileKey, findSecrets, processKey } from './secrets.ts';
import { didYouMean } from './sentence-parts.ts';
import { addressesSet } from './set-addresses.ts';

/**
 * Loads an environment. With `isBare`, it loads no facts, no observed responses and no document of the team.
 * @throws ConfigurationError that lists every problem of its files at once.
 */
export function loadEnvironment(
  name: string,
  { folder = environmentsFolder(), processEnvironment = process.env, isBare = false } = {},
): Environment {
  const paths = environmentFiles(name, folder);
  if (!isThere(paths.own, fileRoles.environment)) throw unknownEnvironment(name, folder);
  const ownFile = readVariablesFile(paths.own, fileRoles.environment);
  const secretFile = readVariablesFile(paths.secret, fileRoles.secrets, { mayBeMissing: true });
  const ownSource = { file: shown(paths.own), folder, raw: ownFile.variables };
  const secret = { file: shown(paths.secret), folder, raw: secretFile.variables };
  const problems: Problem[] = [];
  const reportOf = (path: string, key: string, text: string) => void problems.push({ file: shown(path), key, text });
  const report: Report = (key, text) => reportOf(paths.own, key, text);
  const add = (path: string, found: readonly KeyProblem[]) => {
    for (const { key, text } of found) reportOf(path, key, text);
  };

  const given = addressesSet(name, processEnvironment);
  const checked = checkKeys(keys, { ...ownSource.raw, ...given });
  const values: Partial<Values> = checked.values;
  for (const { key, text } of checked.problems)
    problems.push({ file: key in given ? '--set' : ownSource.file, key, text });
  const set = areaIds.filter((area) => areas[area].addressKey in given);
  // `checkKeys` reports a missing address. If it also made the environment remote, each secret in the file would be a problem, too.
  const addresses = areaIds.map((area) => values[areas[area].addressKey]).filter((address) => address !== undefined);
  const sources = { values, process: processEnvironment };
  const isLoopback = addresses.length > 0 && addresses.every((address) => isOnThisMachine(address as URL, sources));
  const foundSecrets = findSecrets({
    environment: name,
    isLoopback,
    own: ownSource,
    secret,
    process: processEnvironment,
  });
  problems.push(...foundSecrets.problems);
  const suspicions = [...suspicionsIn(ownSource.raw, ownSource.file), ...foundSecrets.suspicions];
  const former = formerReadings(ownSource.raw);
  for (const { key, facts } of former) report(key, formerReadingText(facts, shown(paths.facts), shown(paths.own)));
  const formerKeys = former.map(({ key }) => key);
  add(paths.own, unknownKeys(ownSource.raw, [...Object.keys(keys), ...secretNames, ...formerKeys]));
  add(paths.secret, unknownKeys(secret.raw, secretNames));
  const { secrets } = foundSecrets;
  const route = routeOf({ ...sources, secrets, file: paths.own }, report);
  const issued = issuedCredentials({ name, values, ...foundSecrets, ...definedFields({ route }) }, report);
  const provisioned = values.PROVISION_URL === undefined ? {} : { ACCESS_TOKEN: true };
  add(paths.secret, missingSecrets(name, { ...secrets, ...issued, ...provisioned }, foundSecrets.problems));
  if ((secrets.FRIEND_ACCESS_TOKEN ?? issued.FRIEND_ACCESS_TOKEN) && !values.FRIEND_USER_ID)
    report('FRIEND_USER_ID', 'is missing; FRIEND_ACCESS_TOKEN needs the id of its user');
  const observed = isBare ? new Map() : readObserved(observedFolder(name, processEnvironment), reportOf);
  const facts = isBare ? undefined : readFacts(paths.facts, reportOf);
  const contract = isBare || !values.OPENAPI ? undefined : loadNow('contracts').contractOf(values, folder, report);
  if (problems.length > 0) throw configurationError(name, problems);
  const environment: Environment = {
    ...toEnvironment(name, values as Values, secrets, issued, isLoopback),
    readFrom: { ...ofIssuer(issued, ownSource.file), ...foundSecrets.readFrom },
    observed,
    warnings: [
      ...addressNotes(name, given),
      ...ownFile.losses.map(({ line, key, text }) => `${ownSource.file}, line ${line}, ${key}: ${text}`),
      ...secretFile.losses.map(({ line, key, text }) => `${secret.file}, line ${line}, ${key}: ${text}`),
      ...suspicions.map(({ file, key, text }) => `${file}: ${key} ${text}`),
    ],
    ...definedFields({ contract, facts, route }),
    ...(set.length > 0 ? { set } : {}),
  };
  const moved = Number(processEnvironment[LOCAL_PORT_VARIABLE]);
  return moved > 0 && isEmbedded(environment) ? atPort(environment, moved) : environment;
}

/** Warnings that `--set` replaced addresses of the environment. */
function addressNotes(name: string, given: Readonly<Record<string, string>>): string[] {
  return Object.entries(given).map(([key, address]) => `${name} runs with ${key}=${address}, from --set`);
}

const secretNames = [
  ...Object.keys(secretKeys).flatMap((key) => [key, fileKey(key)]),
  ...credentialKeys.map(commandKey),
];

/** Problems about missing secrets, except secrets that already have a problem. */
function missingSecrets(name: string, given: Readonly<Record<string, unknown>>, problems: readonly Problem[]) {
  return (['ACCESS_TOKEN', 'API_KEY'] as const).flatMap((key): KeyProblem[] => {
    const elsewhere = processKey(name, key);
    const names: readonly string[] = [key, fileKey(key), fileKey(elsewhere)];
    if (given[key] || problems.some((problem) => names.includes(problem.key))) return [];
    return [{ key, text: `is missing; set it here, or as ${elsewhere} in the process environment` }];
  });
}

/** Names TOKEN_URL as the source of issued credentials. If a command issues a credential instead, the caller overwrites this source. */
function ofIssuer(issued: object, file: string): Environment['readFrom'] {
  return Object.fromEntries(Object.keys(issued).map((key) => [key, `TOKEN_URL in ${file}`]));
}

/** Suspicious values of the environment's own keys. */
function suspicionsIn(raw: Readonly<Record<string, string>>, file: string): Problem[] {
  return Object.keys(keys).flatMap((key) => {
    const text = raw[key] && suspicion(raw[key].trim());
    return text ? [{ file, key, text }] : [];
  });
}

/** The error about an environment that doesn't exist, which is the same in every command. */
export function unknownEnvironment(name: string, folder = environmentsFolder()): ConfigurationError {
  const names = environmentNames(folder);
  const list = names.length > 0 ? `Environments: ${names.join(', ')}.` : 'The folder contains none.';
  return new ConfigurationError(
    `There is no environment "${name}" in ${shown(folder)}${didYouMean(name, names)}. ${list} \`npx sextant environments new ${name}\` makes it.`,
  );
}
