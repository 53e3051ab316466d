export { blackboxPhases } from './blackbox-phases.ts';
export { type Asking, type PageResponse, PageServer, type Route, type TimeLimits } from './http-server.ts';
export { listenProblem } from './listen-problem.ts';
export { originOf } from './origin-of.ts';
export { SharedBody } from './shared-body.ts';
export { turn } from './turn.ts';
