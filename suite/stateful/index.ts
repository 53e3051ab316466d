export { avatars } from './avatars.ts';
export { blocks, blocksAtOnce } from './blocks.ts';
export { deletes } from './deletes.ts';
export { loves } from './loves.ts';
export { runWalk } from './run-walk.ts';
export type { Walk } from './walk.ts';
