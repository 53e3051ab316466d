export { turn } from './event-loop-turn.ts';
export { type Asking, type PageResponse, PageServer, type Route, type TimeLimits } from './http-server.ts';
export { listenProblem, originOf } from './listening.ts';
export { blackboxPhases } from './prometheus.ts';
export { SharedBody } from './shared-body.ts';
