export { deleteModel } from './deletes.ts';
export type { ModelTest, PlanWorld } from './model-test.ts';
export { runModelTest } from './run-model-test.ts';
export { saveModel } from './saves.ts';
export { setModel, setModelAtOnce } from './sets.ts';
