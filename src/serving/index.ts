export { type PageRequest, type PageResponse, PageServer, type Route, type TimeLimits } from './http-server.ts';
export { listenProblem, originOf } from './listening.ts';
export { SharedBody } from './shared-body.ts';
