export type { Environment, TestData } from './environment.ts';
export { EMBEDDED, environmentFiles, environmentNames, environmentsFolder } from './folder.ts';
export { keys, secretKeys } from './keys.ts';
export { type LoadOptions, loadEnvironment } from './load.ts';
export { observedFolder } from './observed.ts';
export { ConfigurationError } from './problem.ts';
export { processKey } from './secrets.ts';
export { didYouMean } from './suggest.ts';
