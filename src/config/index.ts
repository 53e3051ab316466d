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
export { atService, isEmbedded, type Listening, LOCAL_PORT_VARIABLE } from './environment.ts';
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
} from './keys/check-keys.ts';
export { type KeyName, keys, requiredKeys, type SecretKey, secretKeys } from './keys/keys.ts';
export { duration, everyDuration, type MaintenanceRule } from './keys/monitoring-values.ts';
export { type HeaderQuestion, headerChanges } from './keys/reading-keys.ts';
export { integer, isLoopbackAddress, isLoopbackHost, positive, text } from './keys/values.ts';
export { type Asked, observedFolder, readingOf, surveysFolder } from './learned/learned.ts';
export { loadEnvironment } from './load.ts';
export { present } from './present.ts';
export { inClear, proxyRoute } from './route.ts';
export { problemOfSecret, processKey as secretVariable, withSecretFiles } from './secrets.ts';
export { counted, didYouMean, listed } from './words.ts';
export { writeEnvironment } from './write-environment.ts';
