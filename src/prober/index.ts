export type { Served } from './environment-store.ts';
export { startProber } from './start.ts';
export { whyStateIsLost } from './why-state-is-lost.ts';
