export { attempt, ConfigurationError } from './configuration-error.ts';
export { contractFiles } from './contract/contract-of.ts';
export { startBroker } from './credentials/broker.ts';
export {
  type CredentialEnd,
  credentialCure,
  credentialEnds,
  credentialEndText,
  credentialsOf,
  endingCredentials,
} from './credentials/issued-credentials.ts';
export type { Environment } from './environment.ts';
export { atService, isEmbedded, type Listening, LOCAL_PORT_VARIABLE, placeOfCredential } from './environment.ts';
export { factsIn, today, writeFacts } from './facts.ts';
export {
  parseVariables,
  readVariables,
  readVariablesFile,
  readVariablesIfAny,
  variableLine,
} from './files/parse-variables.ts';
export { assertEnvironmentName, EMBEDDED, environmentFiles, environmentNames, environmentsFolder } from './folder.ts';
export {
  type Checked,
  checkKeys,
  type KeyEntry,
  type KeyProblem,
  placeholderProblem,
  unknownKeys,
  wrong,
} from './keys/check-keys.ts';
export { type KeyName, key, keys, required, requiredKeys, type SecretKey, secretKeys } from './keys/keys.ts';
export { duration, everyDuration, type MaintenanceRule } from './keys/monitoring-values.ts';
export { integer, isLoopbackAddress, isLoopbackHost, positive, text } from './keys/values.ts';
export { loadEnvironment, unknownEnvironment } from './load.ts';
export { observedFiles, observedFolder, readObserved } from './observed.ts';
export { present } from './present.ts';
export { inClear, proxyRoute } from './route.ts';
export { problemOfSecret, processKey as secretVariable, withSecretFiles } from './secrets.ts';
export { counted, didYouMean, listed, nearest } from './words.ts';
export { writeEnvironment } from './write-environment.ts';
