export { isUnfinished } from '../shell-words.ts';
export { importAll, importSource } from './import-variables.ts';
export { type Mapping, parseMapping } from './our-key.ts';
export { readSource } from './read-source.ts';
