export {
  isForeign,
  json,
  MOST_CONNECTIONS,
  type PageRequest,
  type PageResponse,
  PageServer,
  plain,
  type Reply,
  type Route,
  type ServerOptions,
  type TimeLimits,
  typed,
} from './http-server.ts';
export { slugOf } from './slug.ts';
