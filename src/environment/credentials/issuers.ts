import { execFile } from 'node:child_process';
import type * as OAuth from 'oauth4webapi';
import { expiryInToken, type Issue, type Issued, NotIssued } from '../../call/credentials/issued-secret.ts';
import {
  AnswerTooLong,
  Deadline,
  fetchByRoute,
  fieldsIn,
  isRecord,
  parsedJson,
  type Route,
  shortAnswer,
} from '../../http/index.ts';
import type { Secret } from '../../redaction/index.ts';
import { workFolder } from '../project-root.ts';
import { problemOfSecret } from '../secrets.ts';

const LONGEST_COMMAND_MS = 30_000;
/** Maximum output of a command, in bytes. A longer output can't be a credential. */
const MOST_BYTES = 64_000;

/**
 * Issues a credential by a command, which runs without a shell. Its output is the credential, or JSON like that of a token endpoint.
 * Messages name only the program, because its arguments may be secret.
 */
export function issueByCommand(
  key: string,
  [program = '', ...args]: readonly string[],
  longestMs = LONGEST_COMMAND_MS,
): Issue {
  // Without a shell, `NAME=value` before the program would count as the program itself, and the value may be secret.
  const name = program.replace(/=.*$/s, '=…');
  return () =>
    new Promise((resolve, reject) => {
      const options = {
        cwd: workFolder,
        timeout: longestMs,
        // A program that ignores other signals would block its run indefinitely.
        killSignal: 'SIGKILL',
        maxBuffer: MOST_BYTES,
        windowsHide: true,
      } as const;
      execFile(program, args, options, (error, output) => {
        try {
          if (error)
            throw new NotIssued(`${key} was not issued: ${name} ${whyFailed(error, longestMs)} (${key}_COMMAND)`);
          resolve(issuedOf(answerIn(output), key, name));
        } catch (trouble) {
          reject(trouble);
        }
      });
    });
}

function whyFailed(
  { code, killed }: { readonly code?: unknown; readonly killed?: boolean },
  longestMs: number,
): string {
  if (code === 'ENOENT') return 'is no program that can be found';
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `printed more than ${MOST_BYTES / 1000} kB`;
  if (killed) return `did not end within ${longestMs / 1000} s`;
  return typeof code === 'number' ? `ended with exit code ${code}` : `could not be run (${String(code)})`;
}

interface Answer {
  readonly access_token?: unknown;
  /** Lifetime of the token, in seconds. */
  readonly expires_in?: unknown;
  readonly refresh_token?: unknown;
  readonly error?: unknown;
}

function answerIn(output: string): Answer {
  // `trim` also removes the byte order mark that PowerShell writes.
  const json = parsedJson(output.trim());
  return isRecord(json) ? json : { access_token: output };
}

const LONGEST_ANSWER_MS = 10_000;

export interface TokenRequest {
  readonly key: string;
  readonly url: URL;
  readonly clientId: string;
  readonly clientSecret?: Secret | undefined;
  /** The part of the request that contains the client's secret (RFC 6749, 2.3.1). */
  readonly auth: 'basic' | 'body';
  readonly scope?: string | undefined;
  readonly audience?: string | undefined;
  readonly refreshToken?: Secret | undefined;
  readonly route?: Route | undefined;
  readonly user?: { readonly name: string; readonly password: Secret } | undefined;
}

/**
 * Issues a token by OAuth 2.0; the grant type depends on the given values. If the issuer replaces the refresh token, only this process has
 * the new one.
 */
export function issueByOAuth(request: TokenRequest, longestMs = LONGEST_ANSWER_MS): Issue {
  let refreshToken = request.refreshToken?.reveal();
  return async () => {
    const { url, key } = request;
    // Loaded only here, because most environments need no issuer.
    const oauth = await import('oauth4webapi');
    const server = { issuer: url.origin, token_endpoint: url.href };
    const client = { client_id: request.clientId };
    const limit = new Deadline(longestMs);
    try {
      const [grant, parameters] = grantOf(request, refreshToken);
      const response = await oauth.genericTokenEndpointRequest(
        server,
        client,
        authOf(oauth, request),
        grant,
        parameters,
        {
          // Allows http://. Loading the environment has already checked whether this address may be without TLS.
          [oauth.allowInsecureRequests]: true,
          [oauth.customFetch]: async (
            address: string,
            { body, ...rest }: OAuth.CustomFetchOptions<'POST', URLSearchParams>,
          ) => {
            const { route } = request;
            const answer = await fetchByRoute(new URL(address), { ...rest, body: String(body) }, route);
            const { statusCode: status = 0, headers } = answer;
            const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
            // For some statuses, `Response` allows no body, not even an empty text, so an empty body becomes null.
            return new Response((await shortAnswer(answer)) || null, { status, headers: given });
          },
          signal: limit.signal,
        },
      );
      // The library's own reader would refuse an id_token that it can't verify, fields that are null, and a response without token_type.
      const answer: Answer = fieldsIn(await response.text());
      const isIssued = response.ok && typeof answer.access_token === 'string' && answer.access_token !== '';
      if (!isIssued)
        throw new NotIssued(`${key} was not issued: ${url.href} ${whyNoToken(response, answer)} (TOKEN_URL)`);
      if (typeof answer.refresh_token === 'string' && answer.refresh_token !== '') refreshToken = answer.refresh_token;
      return issuedOf(answer, key, url.href);
    } catch (error) {
      if (error instanceof NotIssued) throw error;
      const why = limit.reached ? `did not respond within ${longestMs / 1000} s` : whyNotRead(error);
      throw new NotIssued(`${key} was not issued: ${url.href} ${why} (TOKEN_URL)`);
    } finally {
      limit.end();
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

/**
 * Why an issuer returned no token. Only the issuer's error code is shown, because other texts of the response may repeat the request. Some
 * issuers send the code with status 200, or in the header `WWW-Authenticate`.
 */
function whyNoToken({ status, headers }: Response, { error }: Answer): string {
  const challenge = /\berror="?([^",]+)/.exec(headers.get('www-authenticate') ?? '')?.[1];
  const code = typeof error === 'string' && error !== '' ? error : challenge;
  if (code !== undefined) return `refused with ${status} ${codeIn(code)}`;
  return status === 401 ? 'refused with 401' : `answered ${status}, without a token`;
}

function whyNotRead(error: unknown): string {
  if (error instanceof AnswerTooLong) return error.message;
  const { cause = error } = error as { readonly cause?: unknown };
  const code = (cause as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code)
    ? `can't be reached (${code})`
    : 'returned an unreadable response';
}

/** `code` if it looks like an error code of RFC 6749. Any other text isn't shown, because it may repeat the request. */
function codeIn(code: string): string {
  return /^[a-z_]{1,40}$/.test(code) ? code : 'an error of its own';
}

/** @throws NotIssued if the token can't be a credential. The message never contains the token. */
function issuedOf({ access_token: token, expires_in: seconds }: Answer, key: string, issuer: string): Issued {
  const text = typeof token === 'string' ? token.trim() : '';
  const problem = problemOfSecret(text);
  if (problem) throw new NotIssued(`${key} was not issued: what ${issuer} returned ${problem}`);
  const ms = Number(seconds ?? Number.NaN) * 1000;
  const expiresAt = Number.isFinite(ms) && ms > 0 ? Date.now() + ms : expiryInToken(text);
  return { value: text, ...(expiresAt === undefined ? {} : { expiresAt }) };
}
