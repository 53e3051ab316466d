import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as Http from '../http/index.ts';
import type * as Questions from '../questions/index.ts';
import type * as Contracts from './contract/contract-of.ts';
import type * as Broker from './credentials/broker.ts';
import type * as Issuers from './credentials/issuers.ts';
import { ownModule } from './project-root.ts';

/** Modules that many runs never need. A run starts faster without them. */
const late = {
  broker: 'src/environment/credentials/broker',
  contracts: 'src/environment/contract/contract-of',
  http: 'src/http/index',
  issuers: 'src/environment/credentials/issuers',
  questions: 'src/questions/index',
} as const;

interface Late {
  broker: typeof Broker;
  contracts: typeof Contracts;
  http: typeof Http;
  issuers: typeof Issuers;
  questions: typeof Questions;
}

const loaded: Partial<Record<keyof Late, unknown>> = {};

/** Returns one of these modules, which is loaded at its first use, for code that can't await an `import`. */
export function loadNow<Name extends keyof Late>(name: Name): Late[Name] {
  loaded[name] ??= createRequire(import.meta.url)(ownModule(late[name]));
  return loaded[name] as Late[Name];
}

/** Loads all of these modules in advance, because Playwright replaces the way in which `require` loads TypeScript. */
export async function loadAhead(): Promise<void> {
  for (const [name, path] of Object.entries(late))
    Object.assign(loaded, { [name]: await import(pathToFileURL(ownModule(path)).href) });
}
