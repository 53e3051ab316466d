export type { Environment, TestData } from './environment.ts';
export { EMBEDDED, environmentFiles, environmentNames, environmentsFolder } from './folder.ts';
export { keys, secretKeys } from './keys.ts';
export { type LoadOptions, loadEnvironment } from './load.ts';
export { ConfigurationError } from './problem.ts';
export { processKey } from './secrets.ts';
export { didYouMean } from './suggest.ts';
export type { Checked } from './values.ts';
export { duration, everyDuration, type MaintenanceRule, type Watching } from './watching.ts';
