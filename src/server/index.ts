/*
 * A small HTTP server for long-running processes.
 * Callers pass routes. A route takes a request, and returns a page, JSON or text.
 * The server redacts each text, and refuses forms of foreign pages, requests that are too long, and too many connections.
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
