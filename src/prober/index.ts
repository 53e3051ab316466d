/*
 * Runs the scenarios of an environment when Prometheus requests a probe, and responds with metrics.
 * Callers pass environments and limits.
 * The prober stores no history, and runs until somebody stops it.
 */
export type { Served } from './environment-store.ts';
export { startProber } from './server.ts';
export { whyStateIsLost } from './why-state-is-lost.ts';
