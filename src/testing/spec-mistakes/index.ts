import { mistakenDeclarations } from './declared.ts';
import { mistakenBodies } from './in-body.ts';
import type { MistakenSpec } from './mistaken-spec.ts';

export { type MistakenSpec, specText } from './mistaken-spec.ts';

/** One for each way in which a mistake is made. */
export const mistakenSpecs: readonly MistakenSpec[] = [...mistakenBodies, ...mistakenDeclarations];
