export { type Compared, compareParts } from './compare-parts.ts';
export { readParts } from './part.ts';
export { writeMerged } from './write-merged.ts';
