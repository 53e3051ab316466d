export { avatars } from './avatars.ts';
export { blocks, blocksAtOnce } from './blocks.ts';
export { deletes } from './deletes.ts';
export { loves } from './loves.ts';
export type { Walk } from './model-test.ts';
export { runWalk } from './run-model-test.ts';
