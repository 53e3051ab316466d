export type { Served } from './environment-store.ts';
export { loadMetrics } from './server.ts';
export { startProber } from './start.ts';
export { whyStateIsLost } from './why-state-is-lost.ts';
