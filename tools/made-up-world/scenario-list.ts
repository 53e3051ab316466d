import type { AreaId } from '../../src/spec/index.ts';

/** 22 scenarios in six areas: 200 environments have 4,400 of them. */
export const madeUpScenarios: readonly (readonly [title: string, area: AreaId])[] = [
  ['block, then list, then unblock', 'friends'],
  ['block two, then unblock one', 'friends'],
  ['block twice', 'friends'],
  ['unblock somebody who is not blocked', 'friends'],
  ['who blocked me', 'friends'],
  ['list in pages', 'friends'],
  ['love, then unlove', 'stories'],
  ['love twice', 'stories'],
  ['fetch options, then report', 'stories'],
  ['report with a comment', 'stories'],
  ['clone type', 'gameDesign'],
  ['clone between two clients', 'gameDesign'],
  ['avatar add, then update', 'profile'],
  ['update profile', 'profile'],
  ['get friend profile', 'profile'],
  ['profile with every field', 'profile'],
  ['evaluate a flag that exists', 'features'],
  ['evaluate a flag with default', 'features'],
  ['evaluate for another user', 'features'],
  ['evaluate in two contexts', 'features'],
  ['delete by id', 'storage'],
  ['delete twice', 'storage'],
];
