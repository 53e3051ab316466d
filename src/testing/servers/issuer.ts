import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Service, seeded } from '../../../reference-service/index.ts';
import { environmentText, seededData } from '../test-environment.ts';
import { http, listening } from './listening.ts';
import { startProxy } from './wire-proxy.ts';

export type TokenIssuer = Awaited<ReturnType<typeof startIssuer>>;

/** The client's secret at the issuer; no output may show it. */
export const CLIENT_SECRET = 'canary+client/77?c=~9d&"e3<f';

/** The text of an environment that calls the gateway, and gets its tokens from the issuer. */
export function issuedText({ addresses, url }: TokenIssuer, keys: Parameters<typeof environmentText>[1] = {}): string {
  return environmentText(addresses, {
    ...seededData,
    ACCESS_TOKEN: undefined,
    TOKEN_URL: url.href,
    TOKEN_CLIENT_ID: 'suite',
    TOKEN_CLIENT_SECRET: `'${CLIENT_SECRET}'`,
    ...keys,
  });
}

/** Starts an OAuth 2.0 issuer and a gateway before a service. The gateway replaces any valid token by that of the seeded caller. */
export async function startIssuer(service: Service) {
  const live = new Set<string>();
  const tokens = await listening(http.createServer((request, response) => issue(request, response)));
  const issue = async (request: IncomingMessage, response: ServerResponse) => {
    const fields = Object.fromEntries(new URLSearchParams(await text(request)));
    issuer.asked.push({ fields, authorization: request.headers.authorization });
    if (issuer.answer) return issuer.answer(request, response);
    const token = `canary+issued/${randomUUID()}?a=~71&"ab<e`;
    issuer.issued.push(token);
    live.add(token);
    const refresh = fields.refresh_token ? { refresh_token: `refresh-${randomUUID()}` } : {};
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 3_600, ...refresh }));
  };
  const gateway = await startProxy(service, async (asked, forward) => {
    const token = asked.headers.authorization?.replace(/^bearer /, '');
    if (token === undefined) return forward(asked);
    if (!live.has(token)) {
      const headers = issuer.saysInvalidToken ? { 'www-authenticate': 'Bearer error="invalid_token"' } : {};
      return { status: 401, type: null, body: JSON.stringify({ refused: token }), headers };
    }
    issuer.used.add(token);
    return forward({ ...asked, headers: { ...asked.headers, authorization: `bearer ${seeded.caller.accessToken}` } });
  });
  const issuer = {
    url: new URL('/token', tokens.url),
    /** The addresses of the areas at the gateway. The gateway refuses an invalid token with 401, and repeats the token in its response. */
    addresses: gateway.addresses,
    issued: [] as string[],
    /** Tokens of the requests that the gateway let pass. */
    used: new Set<string>(),
    /** The form fields and the `Authorization` header of each token request. */
    asked: [] as { readonly fields: Readonly<Record<string, string>>; readonly authorization: string | undefined }[],
    /** If set, responds to token requests instead of the issuer. */
    answer: undefined as ((request: IncomingMessage, response: ServerResponse) => void) | undefined,
    /** Whether a refusal by the gateway says that the token is invalid. */
    saysInvalidToken: true,
    expire: () => live.clear(),
    stop: async () => void (await Promise.all([tokens.stop(), gateway.stop()])),
  };
  return issuer;
}
