import { authFaults } from './auth.ts';
import { blockFaults } from './blocks.ts';
import { featureFaults, storageFaults } from './features-and-storage.ts';
import { inputFaults } from './input.ts';
import type { CataloguedFault } from './kind.ts';
import { listFaults } from './lists.ts';
import { neighbourFaults } from './neighbours.ts';
import { damageFaults, profileFaults } from './profile.ts';
import { answerFaults, requestFaults } from './requests-and-responses.ts';
import { storyFaults } from './stories.ts';
import { wireFaults } from './wire.ts';

export const faults: readonly CataloguedFault[] = [
  ...authFaults,
  ...blockFaults,
  ...listFaults,
  ...storyFaults,
  ...profileFaults,
  ...damageFaults,
  ...neighbourFaults,
  ...featureFaults,
  ...storageFaults,
  ...requestFaults,
  ...answerFaults,
  ...inputFaults,
  ...wireFaults,
];

export { type CataloguedFault, type Deadlines, type FaultKind, faultKinds, type Variant } from './kind.ts';
export { variants } from './variants.ts';
