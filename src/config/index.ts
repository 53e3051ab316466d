export { atService, isEmbedded, type Listening, LOCAL_PORT_VARIABLE } from './at-service.ts';
export { ConfigurationError } from './configuration-error.ts';
export { contractFiles } from './contract/contract-of.ts';
export {
  type DescribedOperation,
  type DescribedResponse,
  describedOperations,
} from './contract/described-operations.ts';
export type { Held } from './contract/matched-operations.ts';
export { counted } from './counted.ts';
export { startBroker } from './credentials/broker.ts';
export {
  type CredentialEnd,
  credentialCure,
  credentialEnds,
  credentialEndText,
  credentialsOf,
  endingCredentials,
} from './credentials/expiry.ts';
export { didYouMean } from './did-you-mean.ts';
export type { Environment } from './environment.ts';
export { parseVariables, readVariables, readVariablesIfAny, variableLine } from './files/parse-variables.ts';
export { writeEnvironment } from './files/write-environment.ts';
export { assertEnvironmentName, EMBEDDED, environmentFiles, environmentNames, environmentsFolder } from './folder.ts';
export { checkKeys, type KeyEntry, type KeyProblem, unknownKeys } from './keys/check-keys.ts';
export { placeholderProblem } from './keys/checked.ts';
export { text } from './keys/header-values.ts';
export { type KeyName, keys, requiredKeys, type SecretKey, secretKeys } from './keys/keys.ts';
export { duration, everyDuration, type MaintenanceRule } from './keys/monitoring-values.ts';
export { type HeaderQuestion, headerChanges } from './keys/reading-keys.ts';
export { type Checked, integer } from './keys/values.ts';
export { type Asked, readingOf } from './learned/known-readings.ts';
export { surveysFolder } from './learned/read-facts.ts';
export { observedFolder, readObserved } from './learned/read-observed.ts';
export { loadEnvironment } from './load.ts';
export { inClear, proxyRoute } from './route.ts';
export { problemOfSecret, processKey as secretVariable, withSecretFiles } from './secrets.ts';
