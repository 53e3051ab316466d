export { type Compared, compareParts } from './compare-parts.ts';
export { writeMerged } from './merge-parts.ts';
export { readParts } from './part.ts';
