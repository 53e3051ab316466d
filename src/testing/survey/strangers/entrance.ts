import { type HeaderName, headerSets } from '../../../service/index.ts';
import { type Incoming, Stopped } from './serve.ts';
import type { Stock } from './stock.ts';

/**
 * Reasons for refusing headers: a missing header, an unknown token or key, the id of another user (`stranger`) or client (`foreign`), or a
 * `version` that is no number.
 */
type Fault = 'credential' | 'client' | 'user' | 'app' | 'token' | 'key' | 'stranger' | 'foreign' | 'version';

/**
 * Makes a function that checks headers in steps. Each step has reasons (`faults`), and the status with which the service refuses a request
 * for them. `scheme` matches the text before a token.
 */
export function entrance(
  scheme: RegExp,
  steps: readonly (readonly [faults: string, status: number, what?: string])[],
): (incoming: Incoming, stock: Stock) => void {
  return ({ headers, path }, stock) => {
    const isOfKey = path.includes('/apikey/');
    const set: readonly string[] = headerSets[isOfKey ? (path.endsWith('/clone') ? 'apiKey' : 'flag') : 'user'];
    const lacks = (...names: readonly HeaderName[]) => names.some((name) => set.includes(name) && !headers[name]);
    const [, before = '', token = ''] = /^(\S+ +)?(.*)$/.exec(headers['authorization'] ?? '') ?? [];
    const user = scheme.test(before) ? stock.users[token] : undefined;
    const foundFaults: Readonly<Record<Fault, boolean>> = {
      credential: lacks('authorization', 'mm-api-key'),
      client: lacks('mm-client-id'),
      user: lacks('mm-user-id'),
      app: lacks('app-bundle', 'app-ver', 'app-platform', 'app-lang', 'app-env'),
      token: !isOfKey && !user,
      key: isOfKey && headers['mm-api-key'] !== stock.apiKey,
      stranger: !isOfKey && headers['mm-user-id'] !== user,
      foreign: headers['mm-client-id'] !== stock.client,
      version: set.includes('app-ver') && !/^\d+$/.test(headers['app-ver'] ?? ''),
    };
    for (const [faults, status, what] of steps)
      if (faults.split(' ').some((fault) => foundFaults[fault as Fault])) throw new Stopped(status, what);
  };
}
