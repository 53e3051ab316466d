import type { Environment } from '../../src/config/index.ts';
import type { ScenarioResult } from '../../src/runner/index.ts';

/** A request in the form of `fetch`. */
export interface BareRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The requests of one round of scenarios, with real credentials in place of their masks. */
export function bareRequests(results: readonly ScenarioResult[], environment: Environment): BareRequest[] {
  return results.flatMap(({ exchanges }) =>
    exchanges.map(({ request: { method, url, headers, correlation, body } }) => ({
      url,
      method,
      headers: { ...correlation, ...unmasked(headers, environment) },
      ...(body === undefined ? {} : { body }),
    })),
  );
}

function unmasked(
  headers: Readonly<Record<string, string>>,
  { caller, friend }: Environment,
): Readonly<Record<string, string>> {
  const token = headers['mm-user-id'] === friend.userId ? friend.accessToken : caller.accessToken;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const secret = name.toLowerCase() === 'authorization' ? token : caller.apiKey;
      return [name, value.replace('***', secret?.reveal() ?? '')];
    }),
  );
}
