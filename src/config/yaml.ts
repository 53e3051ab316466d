import { createRequire } from 'node:module';
import type Yaml from 'yaml';

/** The parser of YAML, loaded with the first text that needs it: most runs have none. */
export function yaml(): typeof Yaml {
  return createRequire(import.meta.url)('yaml');
}
