export type { Served } from './environment-store.ts';
export { startProber } from './server.ts';
export { whyStateIsLost } from './why-state-is-lost.ts';
