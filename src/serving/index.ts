export { type PageRequest, type PageResponse, PageServer, type Route, type TimeLimits } from './http-server.ts';
export { json, plain, typed } from './replies.ts';
export { SharedBody } from './shared-body.ts';
