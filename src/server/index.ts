/*
 * A small HTTP server for long-running processes.
 * It is given routes, which take a request and return a page, JSON or text.
 * It redacts each text body, and refuses forms of foreign pages, long requests and too many connections.
 */
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
