export { isUnfinished } from '../shell-words.ts';
export { importAll, importFrom } from './import-from.ts';
export { type Mapping, parseMapping } from './our-key.ts';
