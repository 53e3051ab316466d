import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { NotIssued } from '../../call/index.ts';
import { Secret } from '../../redaction/index.ts';
import { startIssuer, type TokenIssuer } from '../../testing/servers/issuer.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { environmentText, loadText } from '../../testing/test-environment.ts';
import { credentialCure, credentialEnds, credentialEndText, endingCredentials } from './issued-credentials.ts';
import { issueByCommand, issueByOAuth, type TokenRequest } from './issuers.ts';

const issuer = await startIssuer(await ownService());
after(() => issuer.stop());

const secret = 'canary-of-the-client';
const request: TokenRequest = {
  key: 'ACCESS_TOKEN',
  url: issuer.url,
  clientId: 'suite',
  clientSecret: new Secret(secret),
  auth: 'basic',
};
const json =
  (status: number, body: unknown): TokenIssuer['answer'] =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

async function assertNotIssued(issued: Promise<unknown>, says: RegExp, hidden: string): Promise<void> {
  const error = await issued.then(
    () => assert.fail('it was issued'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof NotIssued, String(error));
  assert.match(error.message, says);
  assert.ok(!error.message.includes(hidden), error.message);
}

const refusals: [name: string, answer: TokenIssuer['answer'], says: RegExp][] = [
  [
    'refuses the client',
    json(401, { error: 'invalid_client', error_description: secret }),
    /^ACCESS_TOKEN was not issued: http:.*\/token refused with 401 invalid_client \(TOKEN_URL\)$/,
  ],
  ['repeats a secret as its code', json(400, { error: `${secret}!` }), /refused with 400 an error of its own/],
  ['fails', (_, response) => void response.writeHead(500).end(secret), /answered 500, without a token/],
  [
    'redirects',
    (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:9' }).end(),
    /answered 302/,
  ],
  ['answers no JSON', (_, response) => void response.end('<html>'), /answered 200, without a token/],
  ['returns no token', json(200, { token_type: 'bearer' }), /answered 200, without a token \(TOKEN_URL\)$/],
  ['refuses in a success', json(200, { error: 'invalid_scope' }), /refused with 200 invalid_scope \(TOKEN_URL\)$/],
  [
    'refuses, and sends a token',
    json(400, { access_token: secret, error: 'invalid_grant' }),
    /refused with 400 invalid_gr/,
  ],
  ['returns an empty token', json(200, { access_token: '', token_type: 'bearer' }), /answered 200, without a token/],
  [
    'returns one in two lines',
    json(200, { access_token: `${secret}\n${secret}` }),
    /returned contains a character that/,
  ],
  ['refuses in a failure of its own', json(503, { error: 'temporarily_unavailable' }), /503 temporarily_unavailable/],
  [
    'refuses with a challenge and a code',
    (_, response) =>
      void response
        .writeHead(401, { 'content-type': 'application/json', 'www-authenticate': 'Basic realm="issuer"' })
        .end(JSON.stringify({ error: 'invalid_client', error_description: secret })),
    /refused with 401 invalid_client \(TOKEN_URL\)$/,
  ],
  [
    'refuses with a code in its challenge',
    (_, response) =>
      void response.writeHead(401, { 'www-authenticate': `Bearer realm="${secret}", error="invalid_client"` }).end(),
    /refused with 401 invalid_client/,
  ],
  [
    'refuses with a challenge alone',
    (_, response) => void response.writeHead(401, { 'www-authenticate': 'Basic realm="issuer"' }).end(),
    /refused with 401 \(TOKEN_URL\)$/,
  ],
  [
    'never ends',
    (_, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(100_000, 'a')));
      };
      response.on('drain', more).on('error', () => {});
      more();
    },
    /sent more than 1 MB \(TOKEN_URL\)$/,
  ],
  [
    'returns one that is too short',
    json(200, { access_token: 'abc', token_type: 'bearer' }),
    /what http.*returned has fewer than 8 characters/,
  ],
  ['closes the connection', (message) => message.socket.destroy(), /can't be reached \([A-Z_]+\)/],
  ['says nothing', () => {}, /did not respond within 0.3 s/],
];
for (const [name, answer, says] of refusals)
  test(`an issuer that ${name} is named, and repeats nothing`, async (t) => {
    issuer.answer = answer;
    t.after(() => {
      issuer.answer = undefined;
    });
    // The issuer that says nothing is tested with a short time limit, which must end the call. The other issuers get a long one, so that it
    // never ends their calls on a busy machine.
    await assertNotIssued(issueByOAuth(request, name === 'says nothing' ? 300 : 30_000)(), says, secret);
  });

const token = 'a-token-of-the-issuer';
const idToken = ['{"alg":"RS256"}', '{"iss":"https://elsewhere.test/qa","aud":"suite"}', 'x']
  .map((each) => Buffer.from(each).toString('base64url'))
  .join('.');
/** Fields that issuers send next to a token, or leave out. */
const answers: [name: string, body: object][] = [
  ['an id_token', { token_type: 'Bearer', id_token: idToken }],
  [
    'fields that are null',
    { token_type: 'Bearer', id_token: null, refresh_token: null, scope: null, expires_in: null },
  ],
  ['an error that is null', { token_type: 'Bearer', error: null }],
  ['no token_type', { expires_in: '300' }],
  ['a list of scopes', { token_type: 'N_A', scope: ['a', 'b'] }],
];
for (const [name, body] of answers)
  test(`a token with ${name} is taken`, async (t) => {
    issuer.answer = json(200, { access_token: token, ...body });
    t.after(() => {
      issuer.answer = undefined;
    });
    const { value, expiresAt } = await issueByOAuth(request, 30_000)();
    assert.equal(value, token);
    assert.equal(expiresAt !== undefined, 'expires_in' in body && body.expires_in !== null);
  });

const grants: [name: string, changes: Partial<TokenRequest>, fields: Record<string, string>, isBasic: boolean][] = [
  [
    'client credentials',
    { scope: 'a b', audience: 'api' },
    { grant_type: 'client_credentials', scope: 'a b', audience: 'api' },
    true,
  ],
  [
    'client credentials in the body',
    { auth: 'body' },
    { grant_type: 'client_credentials', client_id: 'suite', client_secret: secret },
    false,
  ],
  [
    'the password grant',
    { user: { name: 'ann', password: new Secret('her password') } },
    { grant_type: 'password', username: 'ann', password: 'her password' },
    true,
  ],
  [
    'a refresh token',
    { refreshToken: new Secret('refresh-0') },
    { grant_type: 'refresh_token', refresh_token: 'refresh-0' },
    true,
  ],
];
for (const [name, changes, fields, isBasic] of grants)
  test(`${name}: what is asked for`, async () => {
    const issued = await issueByOAuth({ ...request, ...changes })();
    const asked = issuer.asked.at(-1);
    assert.deepEqual(asked?.fields, fields);
    assert.equal(asked?.authorization?.startsWith('Basic ') ?? false, isBasic);
    assert.equal(issued.value, issuer.issued.at(-1));
    assert.ok((issued.expiresAt ?? 0) > Date.now() + 3_000_000);
  });

for (const [replacement, sent] of [
  [undefined, /^refresh-.{36}$/],
  [{ refresh_token: null }, /^refresh-0$/],
  [{ refresh_token: '' }, /^refresh-0$/],
] as const)
  test(`a refresh token that the issuer replaces is sent the next time: ${JSON.stringify(replacement)}`, async (t) => {
    issuer.answer = replacement && json(200, { access_token: token, ...replacement });
    t.after(() => {
      issuer.answer = undefined;
    });
    const issue = issueByOAuth({ ...request, refreshToken: new Secret('refresh-0') });
    await issue();
    await issue();
    assert.match(issuer.asked.at(-1)?.fields.refresh_token ?? '', sent);
  });

const node = process.execPath;
const prints = (code: string) => [node, '-e', code];
const jwt = `${Buffer.from('{}').toString('base64url')}.${Buffer.from('{"exp":4102444800}').toString('base64url')}.x`;
const commands: [name: string, words: readonly string[], value: string | RegExp, expiresAt?: number | 'soon'][] = [
  ['a text', prints('console.log("a-secret-text")'), 'a-secret-text'],
  ['a JSON Web Token', prints(`console.log("${jwt}")`), jwt, 4_102_444_800_000],
  [
    'JSON',
    prints('console.log(JSON.stringify({access_token: "a-secret-text", expires_in: 60}))'),
    'a-secret-text',
    'soon',
  ],
  [
    'JSON after a byte order mark',
    prints('console.log("\\ufeff" + JSON.stringify({access_token: "a-secret-text", expires_in: 60}))'),
    'a-secret-text',
    'soon',
  ],
  ['nothing', prints(''), /what .* returned is blank/],
  ['no JSON with a token', prints('console.log("{}")'), /what .* returned is blank/],
  [
    'two lines',
    prints('console.log("a-secret\\ntext-of-two")'),
    /contains a character that is not allowed in a header/,
  ],
  ['too much', prints('console.log("x".repeat(100000))'), /printed more than 64 kB/],
  ['an exit code', prints('console.log("a-secret-text"); process.exit(2)'), /ended with exit code 2/],
  ['nothing, for it has a variable before it', ['A_TOKEN=a-secret-text', 'program'], /A_TOKEN=… is no program/],
  ['no program', ['no-such-program-here'], /no-such-program-here is no program that can be found \(API_KEY_COMMAND\)/],
];
for (const [name, words, expected, expiresAt] of commands)
  test(`a command that prints ${name}`, async () => {
    const issued = issueByCommand('API_KEY', words)();
    if (typeof expected !== 'string') return assertNotIssued(issued, expected, 'a-secret');
    const { value, expiresAt: ends } = await issued;
    assert.equal(value, expected);
    if (expiresAt === 'soon') assert.ok(ends && ends > Date.now() && ends <= Date.now() + 60_000);
    else assert.equal(ends, expiresAt);
  });

test('a command that ends at no signal is killed when its time is over', async () => {
  const deaf = prints('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)');
  await assertNotIssued(issueByCommand('API_KEY', deaf, 500)(), /did not end within 0.5 s/, 'a-secret');
});

const NOW = Date.UTC(2026, 10, 22, 12);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenUntil = (at: number) => `${part({ alg: 'none' })}.${part({ exp: at / 1000 })}.signature`;

const ends: [name: string, endsAt: number, warning: string, text: string | undefined][] = [
  ['in an hour', NOW + 3_600_000, '3d', 'ACCESS_TOKEN expires at 2026-11-22 13:00 UTC, and nothing renews it'],
  ['in an hour, where half an hour is enough', NOW + 3_600_000, '30m', undefined],
  ['in a week', NOW + 7 * 86_400_000, '3d', undefined],
  ['yesterday', NOW - 86_400_000, '0s', 'ACCESS_TOKEN expired at 2026-11-21 12:00 UTC, and nothing renews it'],
];
for (const [name, endsAt, CREDENTIAL_WARNING, text] of ends)
  test(`a token that ends ${name}`, () => {
    const keys = { ACCESS_TOKEN: tokenUntil(endsAt), CREDENTIAL_WARNING };
    const environment = loadText('ending', environmentText('http://127.0.0.1:1', keys));
    assert.deepEqual(credentialEnds(environment), [{ key: 'ACCESS_TOKEN', endsAt, isRenewed: false }]);
    const ending = endingCredentials(environment, NOW);
    assert.deepEqual(
      ending.map((end) => credentialEndText(end, NOW)),
      text ? [text] : [],
    );
    for (const end of ending) assert.equal(credentialCure(end), 'set ACCESS_TOKEN_COMMAND or TOKEN_URL');
  });

const byIssuer = { ACCESS_TOKEN: undefined, TOKEN_URL: 'https://a.test/t' };
const loopback = { PROXY: 'http://b.test' };
const proxied = { ...loopback, STORY_URL: 'http://a.test' };
/** With a proxy on another machine, loopback addresses are addresses of that machine. */
const agreed = { ...loopback, PROXY_IN_CLEAR: 'yes' };
const inClear = 'is http://, so its credentials would reach the proxy in the clear';

/** Keys, each with the problem that loading must report. Without a problem, the environment must load. */
const settings: [keys: Record<string, string | undefined>, problem?: string][] = [
  [{ API_KEY_COMMAND: 'a' }, 'API_KEY_COMMAND is set as well as API_KEY; remove one of them'],
  [{ API_KEY: undefined, API_KEY_COMMAND: '; a' }],
  [{ API_KEY: undefined, API_KEY_COMMAND: '|' }, 'API_KEY_COMMAND names no program'],
  [{ ...byIssuer, ACCESS_TOKEN_COMMAND: 'a' }, 'ACCESS_TOKEN_COMMAND is set as well as TOKEN_URL'],
  [{ TOKEN_URL: 'https://a.test/t' }, 'TOKEN_URL is set as well as ACCESS_TOKEN'],
  [{ ...byIssuer, TOKEN_URL: 'http://a.test/t' }, '"http://a.test/t" would get secrets in the clear; expected https'],
  [{ ...byIssuer, TOKEN_USERNAME: 'ann' }, 'TOKEN_PASSWORD is missing; TOKEN_USERNAME needs it'],
  [{ TOKEN_SCOPE: 'a' }, 'TOKEN_SCOPE needs TOKEN_URL'],
  [byIssuer],
  [{ PROXY: 'http://ann:secret@a.test' }, 'PROXY contains a user or a password; set PROXY_USERNAME and PROXY_PASSWORD'],
  [{ NO_PROXY: 'a.test' }, 'NO_PROXY needs PROXY'],
  [{ ...proxied, NO_PROXY: '127.0.0.1' }, `STORY_URL ${inClear}`],
  [{ ...proxied, PROXY_IN_CLEAR: 'yes' }],
  [{ CONNECT_TO: 'a.test' }, 'CONNECT_TO "a.test" is not name:port=address:port'],
  [{ CONNECT_TO: 'a.test=b.test:0' }, 'CONNECT_TO "a.test=b.test:0" is not name:port=address:port'],
  [{ CONNECT_TO: '127.0.0.1:2=b.test' }, 'names 127.0.0.1:2, which no address here has'],
  [{ CONNECT_TO: '127.0.0.1:1=[::1]:8443' }],
  [{ CONNECT_TO: '127.0.0.1:1=b.test' }, 'CONNECT_TO leads 127.0.0.1 to b.test, which is another machine'],
  [loopback, `FRIEND_URL ${inClear}`],
  [{ ...loopback, NO_PROXY: '127.0.0.1' }],
  // Behind the proxy on another machine, the environment counts as remote. So its file is committed, and must not contain secrets.
  [agreed, 'ACCESS_TOKEN is a secret, and this file belongs to the repository'],
  [{ ...proxied, ...agreed, CONNECT_TO: 'a.test=b.test' }, "CONNECT_TO can't connect http://a.test directly"],
  [{ ...proxied, PROXY_IN_CLEAR: 'yes', NO_PROXY: '10.0.0.0/8, fd00::/8, a.test:8080, [::1]' }],
  [{ CLIENT_CERT_FILE: 'none.pem' }, "CLIENT_CERT_FILE names a file that can't be read"],
];
for (const [keys, problem] of settings)
  test(`settings: ${JSON.stringify(keys)}`, () => {
    const isRemote = 'STORY_URL' in keys;
    const secrets = isRemote ? { ACCESS_TOKEN: undefined, API_KEY: undefined } : {};
    const kept = isRemote ? { MADE_ACCESS_TOKEN: 'a-secret-token', MADE_API_KEY: 'a-secret-key' } : {};
    const load = () => loadText('made', environmentText('http://127.0.0.1:1', { ...keys, ...secrets }), kept);
    if (problem) assert.throws(load, (error) => String(error).replaceAll(/ {2,}/g, ' ').includes(problem));
    else assert.doesNotThrow(load);
  });

test('the proxy of the process, as other tools read it: a % that escapes nothing, and an address with colons in NO_PROXY', () => {
  const process = { HTTP_PROXY: 'http://ann:100%@b.test:3128', NO_PROXY: 'localhost,127.0.0.1,::1' };
  const { route } = loadText('made', environmentText('http://127.0.0.1:1', { PROXY: 'env' }), process);
  assert.equal(route?.proxyFor(new URL('http://a.test'))?.password?.reveal(), '100%');
  for (const host of ['[::1]', '127.0.0.1', 'localhost'])
    assert.equal(route?.proxyFor(new URL(`http://${host}`)), undefined);
  assert.ok(route?.proxyFor(new URL('http://[::2]')));
});

test('NO_PROXY names networks and stands for many with *, and a semicolon parts its entries', () => {
  const NO_PROXY = '10.0.0.0/8;fd00::/8 192.168.1.7 172.16.* api-*.example.net';
  const { route } = loadText(
    'made',
    environmentText('http://127.0.0.1:1', { ...loopback, PROXY_IN_CLEAR: 'yes', NO_PROXY: `127.0.0.1,${NO_PROXY}` }),
  );
  const through = (host: string) => route?.proxyFor(new URL(`https://${host}`)) !== undefined;
  const direct = ['10.1.2.3', '[fd00::7]', '192.168.1.7', '172.16.0.9', 'api-1.example.net'];
  assert.deepEqual(direct.filter(through), []);
  // A host name is no IP address, even if it begins like one.
  const others = ['11.0.0.1', '[fe00::7]', '10.example.org', '172.17.0.9', '172.16.example.org', 'api.example.net'];
  assert.deepEqual(others.filter(through), others);
});

const viaMachine = (process: Record<string, string>, address = 'http://127.0.0.1:1') =>
  loadText('made', environmentText(address, { PROXY: 'env', PROXY_IN_CLEAR: 'yes' }), process).route;

for (const [process, of] of [
  [{ ALL_PROXY: 'socks5h://127.0.0.1:1080' }, 'ALL_PROXY is a SOCKS proxy'],
  [{ all_proxy: 'socks4://127.0.0.1:1080' }, 'ALL_PROXY is a SOCKS proxy'],
  [{ HTTP_PROXY: 'socks5://127.0.0.1:1080' }, 'HTTP_PROXY is a SOCKS proxy'],
  [{ HTTP_PROXY: 'ftp://127.0.0.1:1' }, 'HTTP_PROXY is not an address'],
  [{ HTTP_PROXY: 'http://' }, 'HTTP_PROXY is not an address'],
] as const)
  test(`${JSON.stringify(process)} is refused in one sentence`, () => {
    assert.throws(
      () => viaMachine(process),
      (error: Error) => {
        assert.equal(error.message.split(`is env, but ${of}`).length, 2, error.message);
        return error.message.includes('expected http:// or https://, or NO_PROXY for these addresses');
      },
    );
  });

test('a SOCKS proxy that no address would use is harmless, and no address goes past one that can’t be used', () => {
  const both = { ALL_PROXY: 'socks5://127.0.0.1:1', HTTP_PROXY: 'http://127.0.0.1:2' };
  const route = viaMachine(both);
  assert.equal(route?.proxyFor(new URL('http://a.test'))?.url.href, 'http://127.0.0.1:2/');
  assert.throws(() => route?.proxyFor(new URL('https://a.test')), /ALL_PROXY is a SOCKS proxy/);
  assert.doesNotThrow(() => viaMachine({ ALL_PROXY: 'socks5://127.0.0.1:1', NO_PROXY: '127.0.0.1' }));
});

test('a token is issued once for all who load an environment, and anew where it is asked for on another way', () => {
  const issuedFor = (keys: Record<string, string>) =>
    loadText('made', environmentText('http://127.0.0.1:1', { ...byIssuer, ...keys })).caller.accessToken;
  const ways = [
    {},
    { PROXY: 'http://127.0.0.1:2' },
    { PROXY: 'http://127.0.0.1:3' },
    { CONNECT_TO: 'a.test=127.0.0.1' },
  ];
  for (const keys of ways) assert.equal(issuedFor(keys), issuedFor(keys));
  assert.equal(new Set(ways.map(issuedFor)).size, ways.length);
});
