export {
  json,
  MOST_CONNECTIONS,
  type PageRequest,
  type PageResponse,
  PageServer,
  pageErrors,
  plain,
  type Route,
  type TimeLimits,
  typed,
} from './http-server.ts';
export { SharedBody } from './shared-body.ts';
export { slugOf } from './slug.ts';
