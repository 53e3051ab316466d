import type * as OAuth from 'oauth4webapi';
import { fetchByRoute, type Issue, NotIssued, type Route, type Secret } from '../../client/index.ts';
import { issuedOf } from './issued-text.ts';

const LONGEST_MS = 10_000;

export interface TokenRequest {
  /** The environment's key that is issued. */
  readonly key: string;
  readonly url: URL;
  readonly clientId: string;
  readonly clientSecret?: Secret | undefined;
  /** Where the client's secret stands (RFC 6749, 2.3.1). */
  readonly auth: 'basic' | 'body';
  readonly scope?: string | undefined;
  readonly audience?: string | undefined;
  readonly refreshToken?: Secret | undefined;
  readonly route?: Route | undefined;
  readonly user?: { readonly name: string; readonly password: Secret } | undefined;
}

/**
 * OAuth 2.0 at a token endpoint: the refresh token grant, the password grant, or client credentials, by what is given. A refresh token that
 * the issuer replaces is kept for this process alone.
 */
export function issueByOAuth(request: TokenRequest, longestMs = LONGEST_MS): Issue {
  let refreshToken = request.refreshToken?.reveal();
  return async () => {
    const { url, key } = request;
    // Loaded only here: most environments need no issuer.
    const oauth = await import('oauth4webapi');
    const server = { issuer: url.origin, token_endpoint: url.href };
    const client = { client_id: request.clientId };
    try {
      const [grant, parameters] = grantOf(request, refreshToken);
      const response = await oauth.genericTokenEndpointRequest(
        server,
        client,
        authOf(oauth, request),
        grant,
        parameters,
        {
          // A configuration names it; an address without TLS is consented to where it is loaded.
          [oauth.allowInsecureRequests]: true,
          [oauth.customFetch]: (
            address: string,
            { body, ...rest }: OAuth.CustomFetchOptions<'POST', URLSearchParams>,
          ) => fetchByRoute(new URL(address), { ...rest, body: String(body) }, request.route),
          signal: AbortSignal.timeout(longestMs),
        },
      );
      const answer = await oauth.processGenericTokenEndpointResponse(server, client, response);
      refreshToken = answer.refresh_token ?? refreshToken;
      return issuedOf({ value: answer.access_token, expiresIn: answer.expires_in }, key, url.href);
    } catch (error) {
      if (error instanceof NotIssued) throw error;
      throw new NotIssued(`${key} was not issued: ${url.href} ${whyRefused(oauth, error, longestMs)} (TOKEN_URL)`);
    }
  };
}

function grantOf(
  { scope, audience, user }: TokenRequest,
  refreshToken: string | undefined,
): [grant: string, parameters: Record<string, string>] {
  const shared = { ...(scope ? { scope } : {}), ...(audience ? { audience } : {}) };
  if (refreshToken) return ['refresh_token', { ...shared, refresh_token: refreshToken }];
  if (user) return ['password', { ...shared, username: user.name, password: user.password.reveal() }];
  return ['client_credentials', shared];
}

function authOf(oauth: typeof OAuth, { clientSecret, auth }: TokenRequest): OAuth.ClientAuth {
  if (!clientSecret) return oauth.None();
  return (auth === 'body' ? oauth.ClientSecretPost : oauth.ClientSecretBasic)(clientSecret.reveal());
}

/** What an issuer says in words may repeat what it was sent, so its codes alone are shown. */
function whyRefused(oauth: typeof OAuth, error: unknown, longestMs: number): string {
  if (error instanceof oauth.ResponseBodyError) return `refused with ${error.status} ${codeIn(error.error)}`;
  if (error instanceof oauth.WWWAuthenticateChallengeError) return `refused with ${error.status}`;
  const { name, cause } = error as { readonly name?: string; readonly cause?: unknown };
  if (name === 'TimeoutError') return `did not answer within ${longestMs / 1000} s`;
  if (cause instanceof Response) return `answered ${cause.status}, without a token`;
  const code = (cause as { readonly code?: unknown } | undefined)?.code;
  if (typeof code === 'string' && /^[A-Z0-9_]+$/.test(code)) return `can't be reached (${code})`;
  return 'returned no token';
}

/** One of the error codes of RFC 6749; anything else may be any text. */
function codeIn(code: string): string {
  return /^[a-z_]{1,40}$/.test(code) ? code : 'an error of its own';
}
