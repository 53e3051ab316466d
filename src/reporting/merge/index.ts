export { writeMerged } from './merge-parts.ts';
export { type Compared, compareParts, readParts } from './parts.ts';
