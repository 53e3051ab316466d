/*
 * Loads and checks an environment: keys, secrets, credentials, routes, facts, the team's OpenAPI document.
 * Its input is a name, the files of `environments/`, and the process environment.
 * It returns an `Environment`, or throws one `ConfigurationError` with all problems.
 */
export { attempt, ConfigurationError } from './configuration-error.ts';
export {
  type CredentialEnd,
  credentialCure,
  credentialEnds,
  credentialEndText,
  credentialsOf,
  endingCredentials,
} from './credentials/issued-credentials.ts';
export { definedFields } from './defined-fields.ts';
export type { Environment } from './environment.ts';
export { atService, isEmbedded, type Listening, LOCAL_PORT_VARIABLE, placeOfCredential } from './environment.ts';
export { factsIn, formerReadings, isFormerReading, today, writeFacts } from './facts.ts';
export { shown } from './files/file-trouble.ts';
export {
  lossesIn,
  mayBeSecret,
  parseVariables,
  readVariables,
  readVariablesFile,
  readVariablesIfAny,
  variableLine,
} from './files/parse-variables.ts';
export {
  assertEnvironmentName,
  EMBEDDED,
  environmentFiles,
  environmentNames,
  environmentsFolder,
  misnamedFiles,
} from './folder.ts';
export { globMatches, globSource } from './glob.ts';
export {
  type Checked,
  checkKeys,
  type KeyEntry,
  type KeyProblem,
  oneOf,
  partsOf,
  placeholderProblem,
  placeholderText,
  unknownKeys,
  wrong,
} from './keys/check-keys.ts';
export {
  credentialKeys,
  type KeyName,
  key,
  keys,
  required,
  requiredKeys,
  type SecretKey,
  secretKeys,
} from './keys/keys.ts';
export { duration, everyDuration, type MaintenanceRule } from './keys/monitoring-values.ts';
export { integer, isLoopbackAddress, isLoopbackHost, positive, text, url } from './keys/values.ts';
export { loadAhead } from './late-modules.ts';
export { loadEnvironment, unknownEnvironment } from './load.ts';
export { observedFiles, observedFolder, readObserved } from './observed.ts';
export { inClear, proxyRoute } from './route.ts';
export {
  problemOfKept,
  problemOfSecret,
  processKey as secretVariable,
  SHORTEST_SECRET,
  withSecretFiles,
} from './secrets.ts';
export { counted, didYouMean, grouped, listed, nearest } from './sentence-parts.ts';
export { type Named, setAddresses, stateName } from './set-addresses.ts';
export { shellCommands } from './shell-words.ts';
