export type { ProfileRecord } from './profiles.ts';
export { seeded } from './seed.ts';
export { State } from './state.ts';
