export type { Environment, TestData } from './environment.ts';
export { EMBEDDED, environmentFiles, environmentNames, environmentsFolder } from './folder.ts';
export { importVariables } from './import-variables.ts';
export { keys, secretKeys } from './keys.ts';
export { type LoadOptions, loadEnvironment } from './load.ts';
export { ConfigurationError } from './problem.ts';
export { processKey } from './secrets.ts';
export { didYouMean } from './suggest.ts';
export { writeEnvironment } from './write.ts';
