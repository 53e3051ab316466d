/*
 * Runs the scenarios of an environment when Prometheus asks, and responds with metrics.
 * It is given environments and limits.
 * It keeps no history, and runs until it is stopped.
 */
export type { Served } from './environment-store.ts';
export { startProber } from './server.ts';
export { whyStateIsLost } from './why-state-is-lost.ts';
