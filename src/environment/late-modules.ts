import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as Http from '../http/index.ts';
import type * as Questions from '../questions/index.ts';
import type * as Contracts from './contract/contract-of.ts';
import type * as Broker from './credentials/broker.ts';
import type * as Issuers from './credentials/issuers.ts';
import { ownModule } from './project-root.ts';

/** Modules that many a run never needs, and starts faster without. */
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

/** One of these modules, loaded where it is first needed, for code that can't wait. */
export function loadNow<Name extends keyof Late>(name: Name): Late[Name] {
  loaded[name] ??= createRequire(import.meta.url)(ownModule(late[name]));
  return loaded[name] as Late[Name];
}

/** Loads all of them ahead: Playwright replaces the way in which Node loads TypeScript for code that can't wait. */
export async function loadAhead(): Promise<void> {
  for (const [name, path] of Object.entries(late))
    Object.assign(loaded, { [name]: await import(pathToFileURL(ownModule(path)).href) });
}
