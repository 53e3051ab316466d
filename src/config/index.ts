export { atService, isEmbedded, type Listening, LOCAL_PORT_VARIABLE } from './at-service.ts';
export { checkKeys, type KeyEntry, type KeyProblem, unknownKeys } from './check-keys.ts';
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
export { assertEnvironmentName, EMBEDDED, environmentFiles, environmentNames, environmentsFolder } from './folder.ts';
export { text } from './header-values.ts';
export { type KeyName, keys, requiredKeys, type SecretKey, secretKeys } from './keys.ts';
export { type Asked, readingOf } from './known-readings.ts';
export { loadEnvironment } from './load.ts';
export { duration, everyDuration, type MaintenanceRule } from './monitoring-values.ts';
export { parseVariables, readVariables, readVariablesIfAny } from './parse-variables.ts';
export { placeholderProblem } from './placeholder.ts';
export { surveysFolder } from './read-facts.ts';
export { observedFolder, readObserved } from './read-observed.ts';
export { type HeaderQuestion, headerChanges } from './reading-keys.ts';
export { withSecretFiles } from './secret-files.ts';
export { problemOfSecret, processKey as secretVariable } from './secrets.ts';
export { type Checked, integer } from './values.ts';
export { variableLine } from './variable-line.ts';
export { writeEnvironment } from './write-environment.ts';
