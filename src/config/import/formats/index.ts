import type { Format } from '../variable.ts';
import { bru, brunoExport } from './bruno.ts';
import { curl } from './curl.ts';
import { http, lines } from './http.ts';
import { openapi } from './openapi.ts';
import { postmanCollection, postmanEnvironment } from './postman.ts';

/** Every kind of file that can be imported; the first that recognises a file reads it. */
export const formats: readonly Format[] = [
  curl,
  postmanEnvironment,
  postmanCollection,
  brunoExport,
  openapi,
  bru,
  http,
  lines,
];
