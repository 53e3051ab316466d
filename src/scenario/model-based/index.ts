export { deleteModel } from './deletes.ts';
export type { ModelTest } from './model-test.ts';
export type { PlanWorld } from './plan-world.ts';
export { runModelTest } from './run-model-test.ts';
export { saveModel } from './saves.ts';
export { setModel, setModelAtOnce } from './sets.ts';
