export { importAll, importSource, type Mapping, parseMapping } from './import-variables.ts';
export { readSource } from './read-source.ts';
