export { importFrom } from './import-from.ts';
export { type Mapping, parseMapping } from './our-key.ts';
