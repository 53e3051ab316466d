export { avatars } from './avatars.ts';
export { blocks, blocksAtOnce } from './blocks.ts';
export { deletes } from './deletes.ts';
export { loves } from './loves.ts';
export type { ModelTest } from './model-test.ts';
export type { PlanWorld } from './plan-world.ts';
export { runModelTest } from './run-model-test.ts';
